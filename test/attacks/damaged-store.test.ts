import { test } from 'tap'
import { connect } from '../helpers/databases/database.js'
import { echo, solvedCaptcha } from '../helpers/service/captcha.js'
import { expectProblem } from '../helpers/service/expect.js'
import { startFederation } from '../helpers/peers/federation.js'
import { startServer, type TestServer } from '../helpers/service/server.js'

const phone = '13800138000'

/** Puts other values in place of what the store keeps; resolves to how many entries under keys that begin so. */
const createDamage = ({ app: { store } }: TestServer) => {
  const keys: string[] = []
  const set = store.set.bind(store)
  store.set = (key, value, ttl) => {
    if (value.startsWith('{')) keys.push(key)
    return set(key, value, ttl)
  }
  return async (prefix: string, value: string): Promise<number> => {
    const found = keys.filter((key) => key.startsWith(prefix))
    await Promise.all(found.map((key) => set(key, value, 60_000)))
    return found.length
  }
}

// What is stored has another shape after a fault of the disk, or by the hand of an operator.
for (const value of ['{', '[]', 'null', '{}', '{"answer":1,"mac":null,"isSolved":1,"tenantId":1}']) {
  test(`a captcha or a code that is stored as ${value} lets nobody in`, async (t) => {
    const server = await startServer(t, { environment: echo, settings: { sms: { sender: 'log' } } })
    await server.addUser('alice', { phone })
    const damage = createDamage(server)
    const solved = await solvedCaptcha(server)
    const { data } = (await server.call('POST', '/auth/captcha/sms', { json: { phone } })).body
    t.equal(await damage('captcha-hash:', value), 1)
    t.equal(await damage('one-time-code:', value), 1)
    const byCaptcha = { authType: 'password_captcha', username: 'alice', password: 'wrong', ...solved }
    expectProblem(t, await server.call('POST', '/auth/login', { json: byCaptcha }), 'invalid_code')
    const byCode = { authType: 'phone_captcha', phone, code: data.code, codeKey: data.codeKey }
    expectProblem(t, await server.call('POST', '/auth/login', { json: byCode }), 'invalid_code')
  })

  test(`a ticket that is stored as ${value} lets nobody in`, async (t) => {
    const { server, ticketOf, signIn } = await startFederation(t)
    const damage = createDamage(server)
    const socialTicket = await ticketOf()
    t.equal(await damage('federation:ticket:', value), 1)
    expectProblem(t, await signIn({ authType: 'social', socialTicket }), 'invalid_grant')
  })
}

test('a damaged signing key stops the start, and the message says which', async (t) => {
  const server = await startServer(t)
  await server.app.close()
  const { run, close } = await connect(server.directory)
  await run(`update signing_keys set public_jwk = '{"kty":"EC"}'`)
  await close()
  await t.rejects(startServer(t, { data: server.directory }), /^The signing key [\w-]+ in the database is damaged/)
})
