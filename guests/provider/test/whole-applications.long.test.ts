import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { test } from 'tap'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { temporary } from '../../../test/helpers/processes/package.js'
import { root } from '../../../test/helpers/processes/project.js'
import { knownApplications, settingsOfKnown, type KnownName } from '../shared/known.js'
import { freePort, startScript } from './applications/real.js'
import { startProvider, wayBack } from './start-provider.js'

const fixture = 'guests/provider/test/fixtures/applications'
const modules = join(root, fixture, 'node_modules')
const skip = existsSync(modules) ? false : `run npm ci --prefix ${fixture}`
const blocks = codeBlocksOf(readDocument('docs/single-sign-on.md'))

const post = async (url: string, json: object): Promise<any> =>
  (
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
  ).json()

interface Application {
  id: KnownName
  /** Its address in the document. */
  address: string
  program: string
  /** Its environment, with the settings of the document and a folder for its data. */
  variablesFor: (settings: string, folder: string) => Record<string, string>
  /** Where its button to sign in leads. */
  begin: (origin: string) => Promise<string>
  /** What it says to somebody who was refused. */
  refusal: RegExp
  /** The headers of its session, from the address at which the sign-in ends. */
  sessionOf: (ended: URL) => Promise<Record<string, string>>
  /** What is read with its session only. The first one says who has signed in. */
  closed: [person: string, data: string]
  userIn: (person: any) => unknown
}

const applications: Application[] = [
  {
    id: 'actual',
    address: 'https://budget.example.com',
    program: '@actual-app/sync-server/build/bin/actual-server.js',
    variablesFor: (settings, folder) => ({
      ...(parseEnv(settings) as Record<string, string>),
      ACTUAL_DATA_DIR: folder,
    }),
    begin: async (origin) => {
      const { data } = await post(`${origin}/account/login`, { loginMethod: 'openid', returnUrl: origin })
      return data.returnUrl as string
    },
    refusal: /missing-authorization-code/,
    sessionOf: async (ended) => ({ 'x-actual-token': ended.searchParams.get('token') ?? '' }),
    closed: ['/account/validate', '/sync/list-user-files'],
    userIn: ({ data }) => data.userName,
  },
  {
    id: 'node-red',
    address: 'https://flows.example.com',
    program: 'node-red/red.js',
    variablesFor: (settings, folder) => {
      mkdirSync(join(folder, '.node-red'))
      writeFileSync(join(folder, '.node-red/settings.js'), settings)
      return { HOME: folder, NODE_PATH: modules }
    },
    begin: async (origin) => `${origin}/auth/strategy`,
    refusal: /session_message=AuthenticationError/,
    sessionOf: async (ended) => {
      // Its code has plus signs that stand for themselves.
      const code = decodeURIComponent(ended.search.replace('?code=', ''))
      const { accessToken } = await post(`${ended.origin}/auth/token`, { code })
      return { authorization: `Bearer ${accessToken}` }
    },
    closed: ['/settings', '/flows'],
    userIn: ({ user }) => user.username,
  },
]

for (const application of applications) {
  const { id, address, closed } = application
  const known = knownApplications[id]
  test(`${known.name} lets people with the role in, by their names, and nobody else`, { skip }, async (t) => {
    const { server, issuer, addClient, openBrowser } = await startProvider(t)
    await server.operator.addRole('staff', 'Staff', [])
    await server.addUser('bob')
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const access = { tenants: [], roles: ['staff'] }
    const { secret = '' } = await addClient({ id, access, ...settingsOfKnown(known, origin) })
    const settings = (blocks.find(({ code }) => code.includes(address))?.code ?? '')
      .replaceAll('https://id.example.com', issuer)
      .replaceAll(address, origin)
      .replace('the-secret-that-client-add-printed', secret)
    const variables = application.variablesFor(settings, temporary(t))
    await startScript(t, process.execPath, join(modules, application.program), port, variables)

    const refused = openBrowser()
    await refused.signIn()
    const { response: page } = await refused.follow(await application.begin(origin), [origin])
    t.equal(page?.status, 403)
    const told = await refused.follow(wayBack((await page?.text()) ?? ''), [origin])
    t.match(`${told.url.href} ${(await told.response?.text()) ?? ''}`, application.refusal)
    for (const path of closed) t.equal((await refused.get(origin + path)).status, 401)

    // The first one owns Actual, the second one does not.
    for (const username of ['alice', 'bob']) {
      await server.operator.assign('staff', username)
      const browser = openBrowser()
      await browser.signIn(username)
      const { url } = await browser.follow(await application.begin(origin), [origin])
      const session = await application.sessionOf(url)
      const [person, data] = await Promise.all(closed.map((path) => browser.get(origin + path, session)))
      t.equal(application.userIn(await person?.json()), username)
      t.equal(data?.status, 200)
    }
  })
}
