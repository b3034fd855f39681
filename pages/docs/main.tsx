import './style.css'
import '../shared/style/theme.js'
import { render } from 'preact'
import { hasPage } from '../shared/base.js'
import { Notice } from '../shared/frame/notice.js'
import { client } from '../shared/session/client.js'
import { identify, type Me } from '../shared/session/entered.js'
import './dark.js'
import { Bar } from './bar.js'
import { listDocuments, readDocument } from './documents.js'
import { loadWords, words } from './words.js'

const hasSignIn = hasPage('sign-in')

// None of them waits for another. Swagger UI is by far the largest.
const loads = Promise.all([listDocuments(), readDocument('json'), import('./reader.js'), loadWords()])
const identified = hasSignIn ? identify().catch(() => undefined) : undefined

const [documents, spec, { openReader }] = await loads.catch(async (error: unknown) => {
  await loadWords()
  render(<Notice kind="bad">{words.notLoaded}</Notice>, document.body)
  throw error
})

document.title = `${words.title} · Rollcall`
const head = document.createElement('header')
const body = document.createElement('div')
// The text of the documents.
body.lang = 'en'
document.body.replaceChildren(head, body)
const showBar = (me: Me | undefined) => render(<Bar documents={documents} onChoose={choose} me={me} />, head)
// The bar says with whose token requests are sent. A reload takes that of the page session again.
const opened = openReader(body, { spec, keepsTokens: !hasSignIn, onLogout: () => showBar(undefined) })
const choose = async (url: string) => (await opened).show(await readDocument(url))
const me = await identified
showBar(me)
const token = me && (await client.token())
if (token !== undefined) (await opened).authorize(token)
