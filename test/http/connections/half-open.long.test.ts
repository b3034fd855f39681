import { readdirSync } from 'node:fs'
import { test } from 'tap'
import { installedDirectory } from '../../helpers/processes/child.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { beginnings, closedByServer, connectHalf, openHalf } from '../../helpers/load/half-open.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { eventually, startProcess, type ServerProcess } from '../../helpers/processes/process.js'

/** How many descriptors the server has open, as Linux tells. */
const descriptors = ({ child }: ServerProcess) => readdirSync(`/proc/${child.pid}/fd`).length

test('descriptors of connections that fall silent are free again when the time limits are over', async (t) => {
  const server = await startProcess(t, { directory: await installedDirectory(t) })
  const atStart = descriptors(server)
  const opened = []
  for (const beginning of Object.values(beginnings)) {
    for (let count = 0; count < 50; count++) opened.push(await openHalf(t, server.origin, beginning, '127.0.0.2'))
  }
  await eventually('the server to have accepted them', () => (descriptors(server) >= atStart + 150 ? true : undefined))
  const begin = performance.now()
  await Promise.all(opened.map(({ socket }) => closedByServer(socket)))
  await eventually('the descriptors to be free', () => (descriptors(server) <= atStart ? true : undefined))
  const seconds = (performance.now() - begin) / 1000
  t.comment(`free after ${seconds.toFixed(1)} s`)
  // The longest time limit of a request, the interval in which it is looked at, and the time to take the answer.
  t.ok(seconds < 30 + 5 + 1 + 5, `${seconds} s`)
  t.match(opened.at(-1)?.received(), / 400 /)
})

test('1,000 half-open connections reopened from one address do not keep others out, with 400 descriptors', async (t) => {
  const server = await startProcess(t, { directory: await installedDirectory(t), maxDescriptors: 400 })
  let isOver = false
  let reopened = 0
  let most = 0
  const reopen = async (index: number) => {
    const beginning = Object.values(beginnings)[index % 3] ?? ''
    while (!isOver) {
      // Refused and reset ones are reopened as well.
      const opened = await connectHalf(server.origin, beginning, '127.0.0.2').catch(() => undefined)
      reopened += 1
      if (!opened) continue
      await closedByServer(opened.socket)
      opened.socket.destroy()
    }
  }
  for (let index = 0; index < 1000; index++) void reopen(index)
  await eventually('the attack to be under way', () => (reopened > 2000 ? true : undefined))
  const times: number[] = []
  for (let count = 0; count < 10; count++) {
    const begin = performance.now()
    expectSuccess(t, await server.signIn('admin', adminPassword))
    times.push(performance.now() - begin)
    most = Math.max(most, descriptors(server))
  }
  isOver = true
  t.comment(`slowest sign-in ${Math.max(...times).toFixed(0)} ms, ${reopened} reopened, ${most} of 400 descriptors`)
  t.ok(Math.max(...times) < 5000)
  t.ok(most < 300, 'half of the three quarters are left to others')
})
