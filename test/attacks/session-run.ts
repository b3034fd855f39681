import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import Fastify from 'fastify'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fp from 'fastify-plugin'
import type { Test } from 'tap'
import rollcall, { type RollcallOptions } from '../../app.js'
import { emptyDirectory } from '../helpers/processes/child.js'
import { startClocked } from '../helpers/processes/clocked-processes.js'
import { createClock } from '../helpers/values/clock.js'
import { startHostileProvider } from '../helpers/peers/hostile-provider.js'
import { startMailServer } from '../helpers/peers/mail-server.js'
import { federation } from '../helpers/peers/openid-provider.js'
import { createOperator } from '../helpers/service/operator.js'
import { userPassword } from '../helpers/service/passwords.js'
import { openData, prepareData, type Plain } from '../helpers/service/prepared-data.js'
import { merge } from '../helpers/service/server.js'
import { commands, type Real } from './session-commands.js'
import { clients, createModel, type ModelUser } from './session-model.js'

/** Steps on one installation. */
const stepsPerRun = 500

/** Two servers on one installation with two tenants, and people who can sign in by each method. */
const start = async (t: Test, counts: Map<string, number>) => {
  const clock = createClock()
  const directory = emptyDirectory(t)
  await prepareData(t, directory, {})
  const provider = await startHostileProvider(t, {}, 'corporate', clock)
  const mailServer = await startMailServer(t)
  const file = join(directory, 'config.json')
  const settings = {
    ...federation([provider.settings], { unknownIdentity: 'refuse' }),
    clients,
    sms: { sender: 'log' },
    mail: { url: mailServer.url },
    captcha: { mode: 'never' },
    oneTimeCodes: { interval: 10, recipientPerDay: 1_000_000, addressPerDay: 1_000_000 },
  }
  writeFileSync(file, JSON.stringify(merge(JSON.parse(readFileSync(file, 'utf8')) as Plain, settings)))
  const servers = await startClocked(t, 2, directory, clock)
  const operator = Fastify({ pluginTimeout: 0 })
  t.teardown(() => operator.close())
  await operator.register(
    fp<RollcallOptions>((inner, more) => rollcall(inner, more)),
    { installation: openData({ DATA_DIR: directory }, {}), clock, answering: false },
  )
  await operator.ready()
  const console = createOperator(operator)
  const { id: other } = await console.addTenant('Other')
  const ids: Real['ids'] = new Map()
  const contacts: Real['contacts'] = new Map()
  const users: ModelUser[] = []
  for (const tenant of [1, other]) {
    await console.addRole('lister', 'Lister', ['system:user:list'], tenant)
    for (const [index, username] of ['alice', 'bob'].entries()) {
      const contact = { phone: `1380013800${index}`, email: `${username}@example.com` }
      const account = { username, password: userPassword, tenantId: tenant, forcePasswordChange: false, ...contact }
      const { id } = await console.addUser(account)
      const { issuer } = provider.settings
      const identity = { platform: 'corporate', issuer, subject: username, displayName: null, createTime: clock.now() }
      await operator.db.identities.add({ userId: id, tenantId: tenant, ...identity })
      const user = { username, tenant, password: userPassword, status: 1, bannedUntil: 0, mayList: false }
      users.push(user)
      ids.set(user, id)
      contacts.set(user, contact)
    }
  }
  const count = (step: string) => counts.set(step, (counts.get(step) ?? 0) + 1)
  return { model: createModel(users, clock.now()), real: { servers, operator, provider, ids, contacts, count } }
}

/** Runs so many random steps against the model, and prints the seed, with which ROLLCALL_TEST_SEED repeats them. */
export const runSteps = async (t: Test, wanted: number): Promise<void> => {
  const seed = Number(process.env['ROLLCALL_TEST_SEED'] ?? randomInt(2 ** 31))
  t.comment(`seed ${seed}`)
  const counts = new Map<string, number>()
  const done = () => [...counts.values()].reduce((sum, count) => sum + count, 0)
  const sequences = fc.commands(commands, { maxCommands: stepsPerRun, size: 'max' })
  const run = (part: Test) =>
    fc.asyncProperty(sequences, async (sequence) => {
      const { model, real } = await start(part, counts)
      await fc.asyncModelRun(() => ({ model, real }), sequence)
      // At the end every token is tried at each server.
      for (const token of model.tokens) {
        for (const server of [0, 1]) {
          const isAdmitted = model.use(token)
          const { status } = await real.servers.at(server).call('GET', '/auth/userInfo', { token: token.text })
          if (status !== (isAdmitted ? 200 : 401)) throw new Error(`a token at the end: ${status}`)
        }
      }
    })
  for (let part = 0; done() < wanted; part++) {
    await t.test(`part ${part}`, async (inner) => {
      await fc.assert(run(inner), { seed: seed + part, numRuns: 1, endOnFailure: true })
    })
    if (!t.passing()) return
  }
  t.ok(done() >= wanted, `${done()} steps: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`)
}
