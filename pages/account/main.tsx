import { render } from 'preact'
import '../shared/style/index.css'
import '../shared/style/theme.js'
import { Notice } from '../shared/frame/notice.js'
import { StatusLine } from '../shared/frame/status-line.js'
import { Questions } from '../shared/ask/questions.js'
import { keepAwake } from '../shared/session/activity.js'
import { client } from '../shared/session/client.js'
import { enter } from '../shared/session/entered.js'
import { toFault } from '../shared/session/fault.js'
import { App } from './app.js'
import { loadWords } from './words.js'

const loaded = await Promise.allSettled([enter(), loadWords()])
const [me] = loaded
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
  keepAwake()
}
render(
  <>
    {'authTypes' in config && me.status === 'fulfilled' ? (
      <App config={config} me={me.value} />
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
