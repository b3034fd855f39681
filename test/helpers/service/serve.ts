import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import type { Test } from 'tap'
import rollcall, { openInstallation, serverOptions, type RollcallOptions } from '../../../app.js'
import { createClient } from './client.js'

/**
 * Serves an installed data directory from the process of the test, with the clock of the machine: for what a command,
 * which runs in another process, does to a server that runs beside it.
 */
export const serve = async (t: Test, directory: string, { port = 0 }: { port?: number } = {}) => {
  const environment = { DATA_DIR: directory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const installation = openInstallation(environment, { create: false })
  const app = Fastify({ ...serverOptions(installation.settings) })
  t.teardown(() => app.close())
  // A function of its own, which does not keep its decorators to itself.
  await app.register(
    fp<RollcallOptions>((inner, more) => rollcall(inner, more)),
    { installation },
  )
  await app.listen({ host: '127.0.0.1', port })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return { ...createClient(origin), origin, app }
}
