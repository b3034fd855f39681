import { captchaEntry } from '../../../plugins/identity/captcha/captchas.js'
import { test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const imageBytes = (image: string) => Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')

test('a captcha is a PNG picture, a key and a time, and nothing else', async (t) => {
  const server = await startServer(t)
  const answer = await server.call('GET', '/auth/captcha')
  const data = expectSuccess(t, answer)
  t.same(Object.keys(data).sort(), ['captchaType', 'codeKey', 'expiresIn', 'image'])
  t.equal(data.captchaType, 'graphical')
  t.equal(data.expiresIn, 300)
  t.match(data.codeKey, /^captcha:[\w-]{22}$/, '128 bits')
  t.notMatch(data.codeKey, uuid)
  t.match(data.image, /^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/)
  const bytes = imageBytes(data.image)
  t.strictSame(bytes.subarray(0, 8), pngSignature)
  t.equal(bytes.subarray(12, 16).toString(), 'IHDR')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  t.ok(width >= 80 && width <= 400 && height >= 24 && height <= 200, `a picture of ${width} x ${height}`)
  t.equal(bytes.subarray(-8, -4).toString(), 'IEND', 'the picture is whole')
  t.equal(answer.headers.get('cache-control'), 'no-store')
})

test('no two captchas are alike, and the answers have no look-alikes', async (t) => {
  const server = await startServer(t, { environment: echo })
  const all = await Promise.all(Array.from({ length: 60 }, () => server.call('GET', '/auth/captcha')))
  const data = all.map((answer) => expectSuccess(t, answer))
  t.equal(new Set(data.map(({ codeKey }) => codeKey)).size, 60)
  t.equal(new Set(data.map(({ image }) => image)).size, 60)
  t.ok(new Set(data.map(({ code }) => code)).size > 50)
  for (const { code } of data) t.match(code, /^[ACDFHKMPTUWXY39]{4}$/)
})

test('the answer is shown only where the environment asks for it, and never logged', async (t) => {
  const quiet = await startServer(t)
  const { codeKey, ...shown } = expectSuccess(t, await quiet.call('GET', '/auth/captcha'))
  t.notHas(shown, { code: String })
  const stored = String(await quiet.app.store.get(captchaEntry(codeKey)))
  const { answer } = JSON.parse(stored) as { answer: string }
  t.match(answer, /^\w{4}$/)
  t.notOk(imageBytes(shown.image).includes(answer), 'not in the text parts of the picture')
  const json = { username: 'admin', password: adminPassword, authType: 'password_captcha', codeKey, code: answer }
  expectSuccess(t, await quiet.call('POST', '/auth/login', { json }))
  t.notMatch(quiet.log(), new RegExp(`\\b${answer}\\b`), 'neither when made nor when solved')

  const loud = await startServer(t, { environment: echo })
  const { code } = await solvedCaptcha(loud)
  t.match(code, /^\w{4}$/)
  t.notMatch(loud.log(), new RegExp(`\\b${code}\\b`))
})

test('a refused answer shows neither the right one nor the submitted one', async (t) => {
  const server = await startServer(t, { environment: echo })
  const { codeKey, code } = await solvedCaptcha(server)
  const json = { username: 'admin', password: adminPassword, authType: 'password_captcha', codeKey, code: 'WR0NG' }
  const answer = await server.call('POST', '/auth/login', { json })
  expectProblem(t, answer, 'invalid_code')
  t.strictSame(Object.keys(answer.body.data), ['reason'])
  t.notMatch(answer.text, new RegExp(`${code}|WR0NG`))
})

test('the tenant of a captcha is an integer, when there is one', async (t) => {
  const server = await startServer(t)
  for (const query of ['', 'tenantId=', 'tenantId=1', 'tenantId=999', 'unknown=x', 't=1780300800000']) {
    expectSuccess(t, await server.call('GET', '/auth/captcha', { query }))
  }
  for (const query of ['tenantId=abc', 'tenantId=0', 'tenantId=-1', 'tenantId=1.5', 'tenantId=1&tenantId=2']) {
    expectProblem(t, await server.call('GET', '/auth/captcha', { query }), 'invalid_request', ['tenantId'])
  }
})

test('a token, good or stale, changes nothing', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  for (const token of [accessToken, 'stale', `${accessToken}x`]) {
    expectSuccess(t, await server.call('GET', '/auth/captcha', { token }))
  }
})
