import type { ComponentChildren } from 'preact'
import { render } from 'preact'
import type { Operations } from '../../../client/index.js'
import { Questions } from '../ask/questions.js'
import { Notice } from '../frame/notice.js'
import { StatusLine } from '../frame/status-line.js'
import { setParty } from '../passkeys/passkeys.js'
import { client } from '../session/client.js'
import { enter, type Me } from '../session/entered.js'
import { toFault } from '../session/fault.js'

/** Milliseconds. A session that is not used ends after its idle time, and typing is a use. */
const touchInterval = 5 * 60_000

/** Tells the server that the person is at work, when no request has done so for a while. */
const keepAwake = (): void => {
  let last = Date.now()
  const touch = () => {
    if (Date.now() - last < touchInterval) return
    last = Date.now()
    // A session that has ended is asked for by the next request of the person.
    client.call('GET /auth/userInfo').catch(() => undefined)
  }
  addEventListener('keydown', touch)
  addEventListener('pointerdown', touch)
}

export type LoginConfig = Operations['GET /auth/loginConfig']['data']

/** Begins a page of a signed-in person: finds out who it is, loads the words and shows the page, or why that did not work. */
export const begin = async (
  loadWords: () => Promise<void>,
  show: (config: LoginConfig, me: Me) => ComponentChildren,
): Promise<void> => {
  const [me] = await Promise.allSettled([enter(), loadWords()])
  // The sign-in of the tenant of the person, whose ways it names.
  const config =
    me.status === 'fulfilled'
      ? await client
          .call('GET /auth/loginConfig', { query: { tenantId: me.value.tenantId } })
          .catch((error: unknown) => toFault(error))
      : toFault(me.reason)
  document.body.replaceChildren()
  if ('authTypes' in config) {
    document.documentElement.style.setProperty('--brand', config.color)
    setParty(config.passkeys)
    keepAwake()
  }
  render(
    <>
      {'authTypes' in config && me.status === 'fulfilled' ? (
        show(config, me.value)
      ) : (
        <main class="content">
          <Notice kind="bad">{'message' in config ? config.message : ''}</Notice>
        </main>
      )}
      <StatusLine />
      <Questions />
    </>,
    document.body,
  )
}
