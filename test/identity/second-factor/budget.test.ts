import { test } from 'tap'
import { enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const tables = ['totpSecrets', 'passkeys', 'recoveryCodes', 'trustedDevices', 'factorStates'] as const

/** Returns what is asked about factors from now on, inside of transactions, too. */
const watchFactors = ({ app: { db } }: TestServer): string[] => {
  const asked: string[] = []
  for (const name of tables) {
    const repository = db[name] as Record<string, (...parameters: unknown[]) => unknown>
    for (const [method, run] of Object.entries(repository))
      repository[method] = (...parameters) => {
        asked.push(`${name}.${method}`)
        return run(...parameters)
      }
  }
  const transaction = db.transaction.bind(db)
  db.transaction = (work, locks) =>
    transaction((inside) => {
      for (const name of tables)
        Object.assign(inside, {
          [name]: new Proxy(inside[name], {
            get: (target, method) => {
              asked.push(`${name}.${String(method)}`)
              return Reflect.get(target, method) as unknown
            },
          }),
        })
      return work(inside)
    }, locks)
  return asked
}

test('a sign-in of an account without a factor asks the database nothing about factors', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  await server.signIn('alice')
  const asked = watchFactors(server)
  const json = { username: 'alice', password: userPassword }
  t.equal((await server.call('POST', '/auth/login', { json })).status, 200)
  t.strictSame(asked, [])
})

test('a second step by app asks for passkeys once, to compare the factors, and nothing about recovery codes', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const asked = watchFactors(server)
  t.equal((await secondStep(server, { ticket, code: app.nextCode() })).status, 200)
  const compared = ['totpSecrets.ofUser', 'passkeys.ofUser']
  t.strictSame(asked, ['totpSecrets.ofUser', ...compared, 'totpSecrets.useStep'])
})

test('a first step asks once for what the account has', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  await enrol(t, server, (await server.signIn('alice')).accessToken)
  const asked = watchFactors(server)
  t.equal((await firstStep(server, 'alice')).status, 403)
  t.strictSame(asked.toSorted(), ['passkeys.ofUser', 'recoveryCodes.left', 'totpSecrets.ofUser'])
})
