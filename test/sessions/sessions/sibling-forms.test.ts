import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { createPageBrowser, startWithPages as start } from '../../helpers/service/page-browser.js'
import { documentOf } from '../../helpers/documents/document.js'
import { startFederation } from '../../helpers/peers/federation.js'
import { userPassword } from '../../helpers/service/server.js'

const sibling = 'https://blog.example.com'
/** What browsers say of a form, a link or a picture of a sibling domain; older ones by http only `Origin`. */
const senders: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-site', origin: sibling },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.net' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { origin: sibling },
  { origin: 'null' },
]
const types = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', undefined]

test('no form of a sibling domain signs a page out, in, or changes any of its cookies', async (t) => {
  const { server, signIn, userInfo } = await start(t)
  const { browser, token } = await signIn()
  const kept = [...browser.jar]
  const { paths } = documentOf(server)
  const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) => (['get', 'post'].includes(method) ? [[method.toUpperCase(), path]] : [])),
  )
  t.ok(operations.length > 60)
  const fields = { username: 'alice', password: userPassword, cookie: 'true', ticket: 'x', code: '000000', key: 'x' }
  const raw = new URLSearchParams(fields).toString()
  const cookie = kept.map(([name, value]) => `${name}=${value}`).join('; ')
  for (const headers of senders) {
    for (const type of types) {
      for (const [method = '', path = ''] of operations) {
        if (method === 'GET' && type !== undefined) continue
        const sent = { ...headers, cookie, ...(type === undefined ? {} : { 'content-type': type }) }
        const body = method === 'GET' || type === undefined ? {} : { raw }
        const answer = await server.call(method, path.replaceAll(/\{\w+\}/g, '1'), { headers: sent, ...body })
        t.same(answer.headers.getSetCookie(), [], `${method} ${path} ${JSON.stringify(headers)} ${type ?? 'no body'}`)
      }
    }
  }
  expectSuccess(t, await userInfo(token))
  expectSuccess(t, await browser.post('/auth/refreshToken'))
  t.same([...browser.jar], kept)
})

test('a sign-in by a form of a sibling domain succeeds as before, and takes no known account out of the browser', async (t) => {
  const { server, signIn } = await start(t)
  const { browser } = await signIn()
  const names = Array.from({ length: 20 }, (_, number) => `other${number}`)
  for (const name of names) await server.addUser(name)
  for (const username of names) {
    const form = { username, password: userPassword }
    expectSuccess(t, await browser.post('/auth/login', { form, headers: { 'sec-fetch-site': 'same-site' } }))
  }
  const [cookie] = browser.jar.values()
  t.type(await server.app.devices.of({ cookie }).recognise(1, { kind: 'username', text: 'alice' }), 'string')
  expectSuccess(t, await browser.post('/auth/refreshToken'))
  const own = await browser.post('/auth/login', { form: { username: 'alice', password: userPassword } })
  t.equal(own.headers.getSetCookie().length, 1, 'a form of our own origin does')
})

test('a listed front end, and a client that is no browser, get their cookies by forms, too', async (t) => {
  const { server } = await start(t)
  const form = { username: 'alice', password: userPassword }
  const front: Record<string, string> = { origin: 'https://console.example.com', 'sec-fetch-site': 'same-site' }
  for (const headers of [front, {}]) {
    const answer = await createPageBrowser(server).post('/auth/login', { form, headers })
    expectSuccess(t, answer)
    t.match(answer.headers.getSetCookie().join(), /^rollcall_device_/)
  }
})

test('a sibling domain cannot exchange the cookie of a sign-in at a provider', async (t) => {
  const { begin } = await startFederation(t)
  const answer = await begin('corporate', { headers: { 'sec-fetch-site': 'same-site', cookie: 'rollcall_browser=x' } })
  t.same(answer.headers.getSetCookie(), [])
  t.match(expectSuccess(t, answer).verifier, /./, 'the verifier binds the sign-in all the same')
  expectProblem(t, await begin('unknown'), 'invalid_request')
})
