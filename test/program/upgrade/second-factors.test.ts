import { test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { cookie, facts, nextCode, startUpgraded, ticketOf, type Pending } from '../../helpers/service/upgraded.js'

const { tina, ruth, paula, walt, downloadTicket } = facts.factors
const day = 86_400

test('apps and recovery codes of version 0.3.0 go on working, and a used code stays used', async (t) => {
  const server = await startUpgraded(t)
  const code = codeAt(tina.secret, server.clock.now())
  const ticket = await ticketOf(t, server, 'tina')
  expectSuccess(t, await secondStep(server, { ticket, code: nextCode(server, tina.secret) }))
  expectProblem(t, await secondStep(server, { ticket: await ticketOf(t, server, 'tina'), code }), 'invalid_code')
  const [recoveryCode = ''] = tina.recoveryCodes
  const recover = async (text: string) =>
    secondStep(server, { authType: 'recovery', ticket: await ticketOf(t, server, 'tina'), code: text })
  expectSuccess(t, await recover(recoveryCode))
  for (const used of [recoveryCode, tina.usedRecoveryCode]) expectProblem(t, await recover(used), 'invalid_code')
})

test('a ticket for the second step that version 0.3.0 gave is refused, and the password begins anew', async (t) => {
  const server = await startUpgraded(t)
  const { ticket } = tina
  const code = nextCode(server, tina.secret)
  expectProblem(t, await secondStep(server, { ticket, code }), 'invalid_grant')
  const [recoveryCode = ''] = tina.recoveryCodes
  expectProblem(t, await secondStep(server, { authType: 'recovery', ticket, code: recoveryCode }), 'invalid_grant')
  // Neither has used the code up.
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(t, server, 'tina'), code }))
  const again = { authType: 'recovery', ticket: await ticketOf(t, server, 'tina'), code: recoveryCode }
  expectSuccess(t, await secondStep(server, again))
})

test('a set-up that version 0.3.0 began, by a ticket or in a session, is refused and begins anew', async (t) => {
  const server = await startUpgraded(t)
  const confirm = ({ key, secret }: Pending, by: { ticket: string } | { token: string }) =>
    server.call('POST', '/auth/factors/totp/confirm', {
      json: { key, code: codeAt(secret, server.clock.now()), ...('ticket' in by && by) },
      ...('token' in by && by),
    })
  const begin = (ticket: string) => server.call('POST', '/auth/factors/totp', { json: { ticket } })
  const { ticket } = ruth
  expectProblem(t, await confirm(ruth.pending, { ticket }), 'invalid_grant')
  expectProblem(t, await begin(ticket), 'invalid_grant')
  const refused = await firstStep(server, 'ruth')
  expectProblem(t, refused, 'second_factor_setup_required')
  const anew = { ticket: refused.body.data.ticket as string }
  expectProblem(t, await confirm(ruth.pending, anew), 'invalid_grant')
  const done = expectSuccess(t, await confirm(expectSuccess(t, await begin(anew.ticket)), anew))
  t.equal(done.session.userInfo.username, 'ruth')
  await ticketOf(t, server, 'ruth')

  const { token } = paula
  expectProblem(t, await confirm(paula.pending, { token }), 'invalid_grant')
  const app = await enrol(t, server, token)
  expectSuccess(t, await secondStep(server, { ticket: await ticketOf(t, server, 'paula'), code: app.nextCode() }))
})

test('a ticket for a download that version 0.3.0 gave is refused, and the next one is good', async (t) => {
  const server = await startUpgraded(t)
  const path = '/system/user/export'
  const download = (ticket: string) => server.call('GET', path, { query: { ticket } })
  expectProblem(t, await download(downloadTicket), 'invalid_grant')
  const asked = await server.call('POST', `${path}/ticket`, { token: facts.tokens.admin, json: {} })
  const file = await download(expectSuccess(t, asked).ticket)
  t.equal(file.status, 200)
  t.match(file.text, /tina/)
})

test('wrong codes that version 0.3.0 counted keep nobody out, here or in a known browser, and new ones are counted', async (t) => {
  for (const headers of [{}, cookie(walt.knownBrowser)]) {
    const server = await startUpgraded(t)
    const tryCode = async (code: string) =>
      secondStep(server, { ticket: await ticketOf(t, server, 'walt', headers), code }, headers)
    expectSuccess(t, await tryCode(nextCode(server, walt.secret)))
    for (let tries = 0; tries < 10; tries++) expectProblem(t, await tryCode('000000'), 'invalid_code')
    expectProblem(t, await tryCode(nextCode(server, walt.secret)), 'too_many_attempts')
  }
})

test('rows about factors that version 0.3.0 left in the store are gone when they expire', async (t) => {
  const server = await startUpgraded(t)
  const rows = async () => {
    const connection = await connect(server.directory)
    const sql = "select key from store where key like 'factor:%' or key like 'download:%'"
    const keys = (await connection.all<{ key: string }>(sql)).map(({ key }) => key)
    await connection.close()
    return keys
  }
  const kinds = new Set(
    (await rows()).map((key) =>
      key
        .split(':')
        .slice(0, 2)
        .join(':')
        .replace(/:[\w-]{43}$/, ''),
    ),
  )
  t.strictSame([...kinds].sort(), ['download', 'factor:account', 'factor:enrol', 'factor:known', 'factor:ticket'])
  await server.app.housekeeping.run()
  server.clock.advance(day + 60)
  // Nothing is deleted for an hour after the clock has gone on by more than a day.
  await server.app.housekeeping.run()
  server.clock.advance(3600)
  await server.app.housekeeping.run()
  t.strictSame(await rows(), [])
})
