import { test } from 'tap'
import { startServer } from '../helpers/service/server.js'

const change = '/.well-known/change-password'
const endpoints = '/.well-known/passkey-endpoints'
const at = (origin: string, path: string) => fetch(origin + path, { redirect: 'manual' })

test('programs that keep passwords and passkeys are led to the account page', async (t) => {
  const server = await startServer(t, { settings: { publicUrl: 'https://id.example.com/iam' } })
  const led = await at(server.origin, change)
  t.equal(led.status, 303)
  t.equal(led.headers.get('location'), '../account/password', 'relative, below whatever prefix')
  const told = await at(server.origin, endpoints)
  t.equal(told.status, 200)
  t.match(told.headers.get('content-type'), /^application\/json/)
  const page = 'https://id.example.com/iam/account/security'
  t.strictSame(await told.json(), { enroll: page, manage: page })
  const missing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  t.equal((await at(server.origin, missing)).status, 404)
})

test('without publicUrl the addresses are those at which passkeys are made', async (t) => {
  const server = await startServer(t)
  const { enroll } = (await (await at(server.origin, endpoints)).json()) as { enroll: string }
  t.equal(enroll, `${server.origin.replace('127.0.0.1', 'localhost')}/account/security`)
})

for (const [sentence, settings, expected] of [
  ['without the account page', { pages: { account: false } }, [404, 404]],
  ['without passkeys', { publicUrl: 'http://192.0.2.7' }, [303, 404]],
] as const)
  test(`${sentence} nobody is led to what is not there`, async (t) => {
    const server = await startServer(t, { settings })
    t.strictSame([(await at(server.origin, change)).status, (await at(server.origin, endpoints)).status], [...expected])
  })
