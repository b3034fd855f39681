import { test, type Test } from 'tap'
import { databaseBytes } from '../../helpers/databases/database.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { ownKey } from '../../helpers/service/token.js'

const next = 'brass kettle whistle'
const mistyped = 'wrong horse battery'

/** Does everything that carries a secret; returns the tokens. */
const live = async (t: Test, server: TestServer): Promise<string[]> => {
  const call = server.call
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await server.addUser('alice')
  const { accessToken: first } = await server.signIn('alice')
  const { accessToken: second } = expectSuccess(t, await call('POST', '/auth/refreshToken', { token: first }))
  await call('GET', '/auth/userInfo', { token: second })
  await call('POST', '/auth/login', { form: { username: 'alice', password: mistyped } })
  // A password in the wrong field happens to everybody.
  await call('POST', '/auth/login', { json: { username: userPassword, password: 'x' } })
  await call('POST', '/auth/login', { json: { username: [userPassword], password: { a: userPassword } } })
  await call('POST', '/auth/login', {
    raw: `{"password":"${userPassword}"`,
    headers: { 'content-type': 'application/json' },
  })
  await call('GET', '/auth/userInfo', { query: { token: second, password: mistyped } })
  await call('GET', '/nowhere', { token: second, query: { token: second } })
  await call('POST', '/auth/changePassword', {
    token: second,
    query: { oldPassword: mistyped, newPassword: next },
    headers,
  })
  const query = { oldPassword: userPassword, newPassword: next }
  expectSuccess(t, await call('POST', '/auth/changePassword', { token: second, query, headers }))
  await call('POST', '/auth/logout', { token: `${second}x` })
  const { accessToken: third } = await server.signIn('alice', next)
  await call('POST', '/auth/logout', { token: second })
  const { accessToken: fourth } = await server.signIn('admin', adminPassword)
  return [first, second, third, fourth]
}

/** The forms in which a text may lie somewhere. */
const formsOf = (text: string) => [
  text,
  encodeURIComponent(text),
  text.replaceAll(' ', '+'),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('hex'),
]

const expectNone = (t: Test, where: string, content: Buffer, secrets: string[]) => {
  for (const secret of secrets) {
    const found = formsOf(secret).filter((form) => content.includes(form))
    t.strictSame(found, [], `${where} holds none of the forms of ${secret.slice(0, 12)}…`)
  }
}

const passwords = [adminPassword, userPassword, next, mistyped]
/** A signature alone identifies a token, wherever its other parts went. */
const signatureOf = (token: string) => token.slice(token.lastIndexOf('.') + 1)

test('S1: the database holds no token and no password, live or ended', async (t) => {
  const server = await startServer(t)
  const tokens = await live(t, server)
  const content = await databaseBytes(server.directory)
  t.ok(content.includes('alice') && content.includes('$argon2id$'), 'what should be there is')
  expectNone(t, 'the database', content, [...passwords, ...tokens, ...tokens.map(signatureOf)])
  const { d = '' } = (await ownKey(server)).export({ format: 'jwk' })
  expectNone(t, 'the database', content, [d, server.app.installation.secret])
})

test('the log holds no token and no password, even at its most talkative', async (t) => {
  const server = await startServer(t)
  const tokens = await live(t, server)
  const content = Buffer.from(server.log())
  t.match(server.log(), '/auth/login', 'what should be there is')
  const bearers = tokens.map(signatureOf)
  expectNone(t, 'the log', content, [...passwords, ...tokens, ...bearers, server.app.installation.secret])
  t.notMatch(server.log(), /\$argon2id\$|"authorization"/i)
})
