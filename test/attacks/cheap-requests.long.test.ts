import { test } from 'tap'
import { isOnPostgres } from '../helpers/databases/database.js'
import { askInThread } from '../helpers/load/asking.js'
import type { DescribedDocument } from '../helpers/load/dearest-requests.js'
import { longestWait, waitingTime } from '../helpers/load/waiting.js'
import { installedDirectory } from '../helpers/processes/child.js'
import { startProcess } from '../helpers/processes/process.js'
import { insertManyUsers } from '../helpers/service/many-users.js'
import { adminPassword } from '../helpers/service/passwords.js'

const connections = 20
const users = 2000

/** What is asked for by browsers and is in no document. */
const others = [
  '/',
  '/openapi.json',
  '/openapi-compat.json',
  '/docs/',
  '/docs/json',
  '/docs/yaml',
  '/docs/documents.json',
  '/sign-in',
  '/unknown',
]

// Each GET of both documents, and what browsers ask for.
test(
  'while somebody reads whatever there is to read on 20 connections, others hardly wait',
  { timeout: 900_000 },
  async (t) => {
    const directory = await installedDirectory(t)
    if (!isOnPostgres) await insertManyUsers(directory, users)
    const server = await startProcess(t, { directory })
    const signIn = async () => (await server.signIn('admin', adminPassword)).body.data.accessToken
    const [token, other] = [await signIn(), await signIn()]

    const operations: { path: string; token?: string }[] = []
    for (const name of ['openapi', 'openapi-compat']) {
      const document = JSON.parse((await server.call('GET', `/${name}.json`)).text) as DescribedDocument
      for (const [path, item] of Object.entries(document.paths))
        if ('get' in item) operations.push({ path: path.replace('{id}', '2').replace(/\{\w+\}/, 'admin'), token })
    }
    t.ok(operations.length > 40, `${operations.length} operations`)
    const asked = [...others.map((path) => ({ path, token: undefined })), ...operations]

    const idle = await waitingTime(server, other)
    let longest = { told: '', wait: 0 }
    for (const { path, token } of asked) {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const end = await askInThread({ url: `${server.origin}${path}`, headers, connections })
      const wait = await waitingTime(server, other)
      const statuses = await end()
      const told = `GET ${path}: others wait ${wait.toFixed(1)} ms, ${idle.toFixed(1)} without; ${JSON.stringify(statuses)}`
      t.comment(told)
      t.ok(wait <= idle + longestWait(idle), told)
      t.ok(
        Object.keys(statuses).every((status) => Number(status) < 500),
        told,
      )
      if (wait > longest.wait) longest = { told, wait }
    }
    t.comment(`the longest: ${longest.told}`)
  },
)
