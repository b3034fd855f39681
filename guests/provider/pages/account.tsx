import { useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import type { Brought } from '../../../pages/account/guests.js'
import { Item } from '../../../pages/shared/frame/item.js'
import { Loading } from '../../../pages/shared/frame/loading.js'
import { frame } from '../../../pages/shared/language/frame-words.js'
import { ago, type Language } from '../../../pages/shared/language/language.js'
import { Name, visible } from '../../../pages/shared/language/visible.js'
import { request } from '../../../pages/shared/session/entered.js'
import { Dialog } from '../../../pages/shared/shell/dialog.js'
import { useOutcome } from '../../../pages/shared/shell/outcome.js'
import { Page, Section } from '../../../pages/shared/shell/shell.js'
import { useLoaded } from '../../../pages/shared/use-loaded.js'
import { setWords, words } from './words.js'

type Grant = Operations['GET /auth/grants']['data'][number]

/** A scope of a service has its address in front. */
const textOf = (scope: string): string => {
  const [address = '', ...rest] = scope.split('#')
  return rest.length === 0 ? (words.scopes[scope] ?? scope) : words.at(rest.join('#'), new URL(address).host)
}

const factsOf = ({ scopes, lastUsedTime }: Grant): string => {
  const known = scopes.filter((scope) => scope !== 'openid').map(textOf)
  return [...known, words.used(ago(new Date(lastUsedTime)))].join(' · ')
}

/** The applications that know the account. */
const Applications = () => {
  const outcome = useOutcome()
  const grants = useLoaded(() => request('GET /auth/grants'))
  const [asked, setAsked] = useState<{ grant: Grant; button: HTMLElement }>()
  return (
    <Page title={words.applications}>
      {outcome.notice}
      <Section heading={words.applications} hint={words.hint}>
        <Loading of={grants}>
          {(list) =>
            list.length === 0 ? (
              <p class="muted">{words.none}</p>
            ) : (
              <ul class="items">
                {list.map((grant) => (
                  <Item
                    key={grant.id}
                    name={
                      grant.client.homeUrl === null ? (
                        <Name text={grant.client.name} />
                      ) : (
                        <a href={grant.client.homeUrl}>
                          <Name text={grant.client.name} />
                        </a>
                      )
                    }
                    facts={factsOf(grant)}
                  >
                    <button
                      aria-label={words.endOf(visible(grant.client.name))}
                      onClick={({ currentTarget }) => setAsked({ grant, button: currentTarget })}
                    >
                      {words.end}
                    </button>
                  </Item>
                ))}
              </ul>
            )
          }
        </Loading>
      </Section>
      {asked && (
        <Dialog title={words.endOf(visible(asked.grant.client.name))} onClose={() => setAsked(undefined)}>
          <p>{words.endHint}</p>
          <div class="actions">
            <button
              class="danger"
              onClick={() => {
                const { grant, button } = asked
                setAsked(undefined)
                const end = request('DELETE /auth/grants/{id}', { path: { id: grant.id } })
                outcome.remove(end, button, grants.reload, words.ended(visible(grant.client.name)))
              }}
            >
              {words.end}
            </button>
            <button onClick={() => setAsked(undefined)}>{frame.cancel}</button>
          </div>
        </Dialog>
      )}
    </Page>
  )
}

export const load = (language: Language): Promise<Brought> => {
  setWords(language)
  return Promise.resolve({ rooms: [{ path: 'applications', text: words.applications, component: Applications }] })
}
