import { test } from 'tap'
import { startServer, userPassword } from '../../helpers/service/server.js'

test('a sign-in of an account without a factor asks the database nothing about factors', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  await server.signIn('alice')
  const { db } = server.app
  const asked: string[] = []
  for (const name of ['totpSecrets', 'passkeys', 'recoveryCodes', 'trustedDevices', 'factorStates'] as const) {
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
      for (const name of ['totpSecrets', 'passkeys', 'recoveryCodes', 'trustedDevices', 'factorStates'] as const)
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
  const json = { username: 'alice', password: userPassword }
  t.equal((await server.call('POST', '/auth/login', { json })).status, 200)
  t.strictSame(asked, [])
})
