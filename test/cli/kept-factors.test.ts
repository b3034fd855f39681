import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type Test } from 'tap'
import type { Authenticator } from '../../bench/authenticator.js'
import { createPostgres, isPostgresThere, skipped } from '../helpers/databases/postgres.js'
import { createCli, type Cli } from '../helpers/processes/cli.js'
import { startProcess } from '../helpers/processes/process.js'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { codeAt, cookiesOf, enrol, firstStep, secondStep, stepLength } from '../helpers/service/factors.js'
import { addPasskey, authenticatorOf, pageOrigin, passkeySignIn } from '../helpers/service/passkeys.js'
import { userPassword } from '../helpers/service/passwords.js'

const skip = (await isPostgresThere()) ? false : skipped

const clock = { now: () => Date.now(), advance: () => undefined }
const start = async (t: Test, { directory }: Cli, databaseUrl = 'sqlite:rollcall.db') => ({
  ...(await startProcess(t, { directory, environment: { DATABASE_URL: databaseUrl } })),
  clock,
})
type Running = Awaited<ReturnType<typeof start>>

/** What ada has of her factors. */
interface Kept {
  /** Secrets of apps, one for each check: a code is good once. */
  secrets: string[]
  recoveryCodes: string[]
  usedCode: string
  authenticator: Authenticator
  /** Of a trusted browser. */
  headers: { cookie: string }
}

/** Adds ada, with every kind of factor. */
const setUp = async (t: Test, cli: Cli): Promise<Kept> => {
  await cli.done('user add --username ada --password-stdin --no-force-change', { input: userPassword })
  const server = await start(t, cli)
  const { accessToken: token } = (await server.signIn('ada', userPassword)).body.data
  const apps = []
  for (const name of ['Phone', 'Tablet']) apps.push(await enrol(t, server, token, { name }))
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token, name: 'Key' })
  const [usedCode = '', ...recoveryCodes] = apps[0]?.recoveryCodes ?? []
  const { ticket } = (await firstStep(server, 'ada')).body.data
  const trusted = await secondStep(server, { authType: 'recovery', ticket, code: usedCode, trustDevice: true })
  expectSuccess(t, trusted)
  const headers = { cookie: cookiesOf(trusted) }
  expectSuccess(t, await firstStep(server, 'ada', { headers }))
  await server.stop()
  return { secrets: apps.map(({ secret }) => secret), recoveryCodes, usedCode, authenticator, headers }
}

/** Signs in by each factor; `round` says for which time. */
const expectAllFactors = async (t: Test, server: Running, kept: Kept, round = 0): Promise<void> => {
  const by = async (authType: string, code: string) => {
    const first = await firstStep(server, 'ada')
    expectProblem(t, first, 'second_factor_required')
    const { ticket, methods } = first.body.data
    t.strictSame(methods, ['passkey', 'totp', 'recovery'])
    return secondStep(server, { authType, ticket, code })
  }
  const code = codeAt(kept.secrets[round] ?? '', clock.now() + stepLength * 1000)
  expectSuccess(t, await by('totp', code))
  expectProblem(t, await by('totp', code), 'invalid_code')
  const { accessToken: token } = expectSuccess(t, await by('recovery', kept.recoveryCodes[round] ?? ''))
  expectProblem(t, await by('recovery', kept.usedCode), 'invalid_code')
  expectSuccess(t, await passkeySignIn(t, server, kept.authenticator, { origin: pageOrigin(server) }))
  const { factors, recoveryCodesLeft } = expectSuccess(t, await server.call('GET', '/auth/factors', { token }))
  t.strictSame(
    factors.map(({ name }: { name: string }) => name).sort(),
    ['Key', 'Phone', 'Tablet'],
    'factors have their names',
  )
  t.equal(recoveryCodesLeft, 8 - round)
}

const expectTrust = async (t: Test, server: Running, { headers }: Kept): Promise<void> => {
  expectSuccess(t, await firstStep(server, 'ada', { headers }))
}

test('after a restore an account signs in by its app, its passkey, a recovery code, and on its trusted device', async (t) => {
  const cli = await createCli(t)
  const kept = await setUp(t, cli)
  const file = join(dirname(cli.directory), 'copy.db')
  await cli.done(['backup', file])
  const later = await start(t, cli)
  const { ticket } = (await firstStep(later, 'ada')).body.data
  // Used after the backup: good again after the restore.
  expectSuccess(t, await secondStep(later, { authType: 'recovery', ticket, code: kept.recoveryCodes[0] ?? '' }))
  await later.stop()
  await cli.done('user reset-factors ada --yes')
  const between = await start(t, cli)
  t.equal((await between.signIn('ada', userPassword)).status, 200, 'the factors are gone')
  expectProblem(
    t,
    await passkeySignIn(t, between, kept.authenticator, { origin: pageOrigin(between) }),
    'unknown_credential',
  )
  await between.stop()
  await cli.done(['restore', file])
  const server = await start(t, cli)
  await expectAllFactors(t, server, kept)
  await expectTrust(t, server, kept)
  await server.stop()
})

test('after a move to PostgreSQL and back the factors of an account are the same', { skip }, async (t) => {
  const cli = await createCli(t)
  const postgres = await createPostgres(t)
  const kept = await setUp(t, cli)
  await cli.done('copy', { environment: { ROLLCALL_COPY_TO: postgres } })
  const there = await start(t, cli, postgres)
  await expectAllFactors(t, there, kept)
  await expectTrust(t, there, kept)
  await there.stop()
  await cli.done(['copy', '--from', postgres, '--to', 'sqlite:back.db'])
  const back = await start(t, cli, 'sqlite:back.db')
  await expectAllFactors(t, back, kept, 1)
  await expectTrust(t, back, kept)
  await back.stop()
})

test('after a change of the master secret an account signs in by its app, its passkey and a recovery code, and its devices are new', async (t) => {
  const cli = await createCli(t)
  const kept = await setUp(t, cli)
  const file = join(dirname(cli.directory), 'new-secret')
  writeFileSync(file, 'a new master secret of forty characters.\n')
  await cli.done(['keys', 'rewrap', '--new-secret-file', file])
  const server = await start(t, cli)
  await expectAllFactors(t, server, kept)
  // The cookies of devices were encrypted with the former secret.
  expectProblem(t, await firstStep(server, 'ada', { headers: kept.headers }), 'second_factor_required')
  await server.stop()
})
