import type { ChildProcess } from 'node:child_process'
import type { Test } from 'tap'
import { createClient } from '../service/client.js'
import type { TestClock } from '../values/clock.js'
import { spawnProgram, variablesOf } from './spawn.js'

/** The next text that a server sends. */
const nextText = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    const take = (message: unknown) => {
      if (typeof message !== 'string') return
      child.off('message', take)
      resolve(message)
    }
    child.on('message', take)
  })

/** Starts `count` servers on one installation, each a process of its own, whose clocks follow that of the test. */
export const startClocked = async (t: Test, count: number, directory: string, clock: TestClock) => {
  const variables = variablesOf({
    directory,
    environment: { ROLLCALL_DEV_ECHO: '1', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  })

  const start = async () => {
    const started = spawnProgram('test/helpers/processes/clocked-server.js', [String(clock.now())], variables, {
      hasChannel: true,
    })
    started.child.stdin.end()
    const ready = nextText(started.child)
    const failed = started.ended.then(({ stderr }) => {
      throw new Error(`the server ended: ${stderr}`)
    })
    failed.catch(() => undefined)
    const origin = await Promise.race([ready, failed])
    return { ...started, ...createClient(origin) }
  }

  const servers = await Promise.all(Array.from({ length: count }, start))
  t.teardown(async () => {
    for (const { child } of servers) child.kill('SIGKILL')
    await Promise.all(servers.map(({ ended }) => ended))
  })

  return {
    /** Any number names a server. */
    at: (index: number) => {
      const server = servers[index % count]
      if (!server) throw new Error('there are no servers')
      return server
    },
    async advance(seconds: number): Promise<void> {
      clock.advance(seconds)
      const moved = servers.map(({ child }) => nextText(child))
      for (const { child, output } of servers) {
        if (!child.connected)
          throw new Error(`a server has ended (${child.exitCode}): ${output.stdout}${output.stderr}`)
        child.send({ seconds })
      }
      await Promise.all(moved)
    },
    async restart(index: number, signal: NodeJS.Signals): Promise<void> {
      const server = servers[index % count]
      server?.child.kill(signal)
      await server?.ended
      servers[index % count] = await start()
    },
  }
}

export type Clocked = Awaited<ReturnType<typeof startClocked>>
