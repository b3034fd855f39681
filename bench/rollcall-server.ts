import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import rollcall, { openInstallation, serverOptions } from '../app.js'

/** Rollcall on a fresh data directory, with `BENCH_USERS` users beside the administrator. */
const directory = mkdtempSync(join(tmpdir(), 'rollcall-bench-'))
const installation = openInstallation({ ...process.env, DATA_DIR: directory }, { create: true })
const app = Fastify(serverOptions(installation.settings))
await app.register(fp(rollcall), { installation })
await app.ready()

const count = Number(process.env['BENCH_USERS'])
const pad = String(count).length
await app.db.transaction(async ({ users }) => {
  for (let index = 1; index <= count; index++) {
    const number = String(index).padStart(pad, '0')
    await users.add(
      {
        tenantId: 1,
        username: `user${number}`,
        realName: `User ${number}`,
        userType: 2,
        phone: { display: `138${number.padStart(8, '0')}`, key: `+86138${number.padStart(8, '0')}` },
        email: `user${number}@example.com`,
        passwordHash: null,
        forcePasswordChange: false,
      },
      Date.now() - index * 1000,
    )
  }
})

const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url })
process.on('SIGTERM', () => {
  void app.close().then(() => {
    rmSync(directory, { recursive: true, force: true })
    process.exit(0)
  })
})
