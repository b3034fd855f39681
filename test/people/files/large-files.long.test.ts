import { request } from 'node:http'
import { test } from 'tap'
import { watchEventLoop } from '../../helpers/load/event-loop.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { memoryOf, startWatched } from '../../helpers/processes/watched.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const count = 100_000
/** Milliseconds. */
const longestHold = 20
/** MiB, of the process of the server, which is also that of this test. */
const maxGrowth = 96

/** Watches the resident memory until the returned function is called, which gives its growth at the highest, in MiB. */
const watchMemory = () => {
  globalThis.gc?.()
  const start = process.memoryUsage.rss()
  let highest = start
  const timer = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 20)
  return () => {
    clearInterval(timer)
    return (highest - start) / 2 ** 20
  }
}

/** Downloads a file and counts its bytes and lines. */
const download = (server: TestServer, token: string, path: string): Promise<{ bytes: number; lines: number }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    request(`${server.origin}${path}`, { headers }, (answer) => {
      const read = { bytes: 0, lines: 0 }
      answer.on('data', (chunk: Buffer) => {
        read.bytes += chunk.length
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) read.lines++
      })
      answer.on('end', () => resolve(read))
      answer.on('error', reject)
    }).end()
  })

test('an export of many users holds neither the event loop nor memory', async (t) => {
  const server = await startServer(t)
  await insertManyUsers(server.directory, count)
  const { accessToken: token } = await server.signIn()
  // The code is compiled, and the thread that builds lists is there.
  await download(server, token, '/system/user/export?username=user999')
  let shortest = Infinity
  for (let tries = 0; tries < 4 && shortest > longestHold; tries++) {
    const hold = watchEventLoop()
    const growth = watchMemory()
    const { bytes, lines } = await download(server, token, '/system/user/export')
    const memory = growth()
    shortest = Math.min(shortest, hold())
    t.equal(lines, count + 2)
    t.comment(`${bytes} bytes, memory grew by ${memory.toFixed(0)} MiB, longest hold ${shortest.toFixed(1)} ms`)
    t.ok(memory < maxGrowth, `memory grew by ${memory.toFixed(0)} MiB`)
  }
  t.ok(shortest <= longestHold, `held for ${shortest.toFixed(1)} ms`)
})

const peopleFile = (count: number, prefix = 'person') =>
  Buffer.from(
    ['username,realName', ...Array.from({ length: count }, (_, index) => `${prefix}${index},王${index % 977}`)].join(
      '\n',
    ),
  )

test('an import of many users does not fill the memory of the server nor hold its event loop', async (t) => {
  const { pid, importFile, held } = await startWatched(t)
  const post = async (content: Buffer) => expectSuccess(t, await importFile(content))
  t.match(await post(peopleFile(1)), { added: 1 })
  t.match(await post(peopleFile(2000, 'warm')), { added: 2000 })
  await held()
  const before = memoryOf(pid, 'VmRSS')
  const begin = performance.now()
  const content = Buffer.concat([
    Buffer.from('username,realName\n'),
    Buffer.from(peopleFile(count).toString().split('\n').slice(2).join('\n')),
  ])
  t.match(await post(content), { added: count - 1 })
  const growth = memoryOf(pid, 'VmHWM') - before
  t.ok((await held()) <= longestHold, 'of a hundred turns at most one is longer: other processes take the cores, too')
  t.comment(
    `${((performance.now() - begin) / 1000).toFixed(0)} s, memory grew from ${before.toFixed(0)} by ${growth.toFixed(0)} MiB`,
  )
  t.ok(growth < maxGrowth, `memory grew by ${growth.toFixed(0)} MiB`)
})
