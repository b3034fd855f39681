import { totalmem } from 'node:os'
import { test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { presetListMemory } from '../../../db/user-list/list-memory.js'
import { anybody, insertManyUsers } from '../../helpers/service/many-users.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage } from '../../helpers/service/users.js'

const MiB = 2 ** 20
const hour = 3_600_000
/** Four bytes each are more than one MiB. */
const many = 263_000

test('the preset follows the largest list, between 24 MiB and a quarter of the memory', async (t) => {
  t.equal(presetListMemory(1000), 24 * MiB)
  t.equal(presetListMemory(40 * MiB), 120 * MiB, 'ten million users, three times')
  t.equal(presetListMemory(2 ** 50), Math.min(totalmem(), process.constrainedMemory() || Infinity) / 4)
})

test('lists take turns in a memory that has room for one of them', async (t) => {
  const server = await startServer(t)
  await insertManyUsers(server.directory, 2000)
  const db = await openDatabase(server.databaseUrl, server.directory)
  t.teardown(() => db.close())
  const tooLarge: number[] = []
  const listOf = (listMemory: number | undefined) => {
    const list = db.openUserList({ listMemory, maxRowsHere: 0, onTooLarge: (size) => void tooLarge.push(size) })
    t.teardown(() => list.close())
    let built = 0
    const asker = {
      ...anybody,
      beginWaiting: () => {
        built++
        return anybody.beginWaiting()
      },
    }
    const ask = async (column: 'createTime' | 'username') => {
      const before = built
      const users = list.select({ tenantIds: [] }, [{ column, direction: 'asc' }])
      const { total } = await users.page({ current: 1, size: 10, offset: 0 }, asker)
      t.equal(total, 2001)
      return built - before
    }
    return { ask }
  }
  const roomy = listOf(undefined)
  t.strictSame([await roomy.ask('createTime'), await roomy.ask('username'), await roomy.ask('createTime')], [1, 1, 0])
  const narrow = listOf(10_000)
  t.strictSame([await narrow.ask('createTime'), await narrow.ask('createTime')], [1, 0])
  t.strictSame([await narrow.ask('username'), await narrow.ask('createTime')], [1, 1], 'one drives the other out')
  t.strictSame(tooLarge, [])
  const tooNarrow = listOf(5000)
  t.strictSame([await tooNarrow.ask('createTime'), await tooNarrow.ask('createTime')], [1, 1])
  t.strictSame(tooLarge, [2001 * 4 + 1000, 2001 * 4 + 1000])
})

test('a list without room is answered, counted, and in the log once an hour', async (t) => {
  const server = await startServer(t, { settings: { userList: { memoryMiB: 1 } }, environment: { METRICS_PORT: '0' } })
  await insertManyUsers(server.directory, many)
  const told = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('userList.memoryMiB'))
  const ask = async (current: number) => {
    const { accessToken: token } = await server.signIn()
    const { total, records } = expectSuccess(t, await askPage(server, token, { current }))
    t.equal(total, many + 1)
    t.equal((records as unknown[]).length, 10)
  }
  await ask(1)
  await ask(2)
  t.equal(told().length, 1)
  t.match(told()[0], /"listMiB":2,"memoryMiB":1/)
  server.clock.advance(hour)
  await ask(3)
  t.equal(told().length, 2)
  const response = await fetch(`http://127.0.0.1:${server.app.metrics?.port ?? 0}/metrics`)
  t.match(await response.text(), '\nrollcall_user_lists_without_room_total 3\n')
})
