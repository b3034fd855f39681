import { test } from 'tap'
import { connect, onSqliteOnly } from '../helpers/databases/database.js'
import { insertRoles } from '../helpers/databases/many-rows.js'
import type { DescribedDocument } from '../helpers/load/dearest-requests.js'
import { listRequests } from '../helpers/load/list-requests.js'
import { keepSending, longestWait, waitingTime } from '../helpers/load/waiting.js'
import { installedDirectory } from '../helpers/processes/child.js'
import { startProcess } from '../helpers/processes/process.js'
import { insertManyUsers } from '../helpers/service/many-users.js'
import { adminPassword } from '../helpers/service/passwords.js'

const count = 1000

// In every request of both documents that takes a list.
test(
  'while somebody sends lists of what exists, others hardly wait',
  { ...onSqliteOnly, timeout: 600_000 },
  async (t) => {
    const directory = await installedDirectory(t)
    await insertManyUsers(directory, count)
    await insertRoles(directory, count - 100, Date.now())
    const connection = await connect(directory)
    const ofUsers = await connection.all<{ id: number }>('select id from users where id > 1 order by id')
    const ofRoles = await connection.all<{ id: number; role_key: string }>('select id, role_key from roles order by id')
    // An unlock asks for each of them what there is to unlock.
    await connection.run('update users set user_status = 3 where id > 1')
    await connection.close()

    const server = await startProcess(t, { directory })
    const { accessToken: token } = (await server.signIn('admin', adminPassword)).body.data
    const { accessToken: other } = (await server.signIn('admin', adminPassword)).body.data
    const read = async (path: string) => JSON.parse((await server.call('GET', path)).text) as DescribedDocument
    const methods = await server.call<{ methods: { name: string }[] }>('GET', '/system/tenant/1/methods', { token })
    const existing = {
      userIds: ofUsers.map(({ id }) => id),
      roleIds: ofRoles.map(({ id }) => id),
      roleKeys: ofRoles.map(({ role_key }) => role_key),
      tenantId: 1,
      methods: methods.body.data.methods.map(({ name }) => name),
    }
    const found = [await read('/openapi.json'), await read('/openapi-compat.json')].map((document) =>
      listRequests(document, existing),
    )
    t.same(
      found.flatMap(({ unknown }) => unknown),
      [],
      'each list has a length, and a line of what it may name',
    )
    // Whoever is deleted is not there for the others.
    const deletes = ({ sentence }: { sentence: string }) => /delete|remove/i.test(sentence)
    const requests = found
      .flatMap((one) => one.requests)
      .toSorted((one, two) => Number(deletes(one)) - Number(deletes(two)))
    t.ok(requests.length >= 14, `${requests.length} requests`)

    const worked = new Set<string>()
    const idle = await waitingTime(server, other)
    for (const { sentence, method, path, body } of requests) {
      for (const connections of [1, 4]) {
        const end = keepSending(server, token, { method, path, body }, connections)
        const wait = await waitingTime(server, other)
        const statuses = await end()
        const told = `${sentence}: ${connections} connections, others wait ${wait.toFixed(1)} ms, ${idle.toFixed(1)} without`
        t.comment(`${told}; ${JSON.stringify(Object.fromEntries(statuses))}`)
        t.ok(wait <= longestWait(idle), told)
        t.notOk(
          [...statuses.keys()].some((status) => status >= 500),
          told,
        )
        if (statuses.get(200)) worked.add(sentence)
      }
    }
    t.same(
      requests.map(({ sentence }) => sentence).filter((sentence) => !worked.has(sentence)),
      [],
      'each does what it is for',
    )
  },
)
