import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startServer, type Answer } from '../../helpers/service/server.js'
import { parallel, tally } from '../../helpers/values/compare.js'

const count = 50

/** Exactly one of the requests succeeds. */
const expectOne = (t: Test, answers: Answer[]): void => {
  t.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(tally(answers)))
}

test(`of ${count} second steps with one code one starts a session`, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const live = async () => (await server.app.db.sessions.live(2, server.clock.now())).length
  const before = await live()
  const tickets: string[] = []
  for (let index = 0; index < count; index++) tickets.push((await firstStep(server, 'alice')).body.data.ticket)
  const code = app.nextCode()
  const answers = await parallel(count, (index) => secondStep(server, { ticket: tickets[index] ?? '', code }))
  expectOne(t, answers)
  t.equal(await live(), before + 1)
})

test(`of ${count} second steps with one ticket one starts a session`, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const code = app.nextCode()
  const answers = await parallel(count, () => secondStep(server, { ticket, code }))
  expectOne(t, answers)
})

test(`of ${count} uses of one recovery code one succeeds`, async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const tickets: string[] = []
  for (let index = 0; index < count; index++) tickets.push((await firstStep(server, 'alice')).body.data.ticket)
  const [code = ''] = app.recoveryCodes
  const answers = await parallel(count, (index) =>
    secondStep(server, { authType: 'recovery', ticket: tickets[index] ?? '', code }),
  )
  expectOne(t, answers)
})

test('two enrolments at once: the first app still works, and there are codes once', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const begun = await parallel(2, async () =>
    expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} })),
  )
  const done = await parallel(2, async (index) => {
    const { key, secret } = begun[index]
    const json = { key, code: codeAt(secret, server.clock.now()) }
    return server.call('POST', '/auth/factors/totp/confirm', { token, json })
  })
  const made = done.filter(({ status }) => status === 200)
  t.equal(made.filter(({ body }) => body.data.recoveryCodes !== undefined).length, 1)
  server.clock.advance(30)
  for (const [index, { status }] of done.entries()) {
    if (status !== 200) continue
    const { ticket } = (await firstStep(server, 'alice')).body.data
    expectSuccess(t, await secondStep(server, { ticket, code: codeAt(begun[index].secret, server.clock.now()) }))
  }
  t.ok(made.length >= 1)
})

test('a factor that is removed while it gets a new name is not found, and nothing is recorded', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const app = await enrol(t, server, token)
  const { accessToken: admin } = await server.signIn()
  const { db } = server.app
  const transaction = db.transaction.bind(db)
  db.transaction = async (work, locks) => {
    await db.totpSecrets.remove(app.id)
    return transaction(work, locks)
  }
  const recorded = async () => expectSuccess(t, await server.call('GET', '/system/audit/page', { token: admin })).total
  const before = await recorded()
  const answer = await server.call('PATCH', `/auth/factors/${app.id}`, { token, json: { name: 'Old phone' } })
  expectProblem(t, answer, 'not_found')
  t.equal(await recorded(), before)
})
