import { createHash, createHmac } from 'node:crypto'
import { test, type Test } from 'tap'
import { parallel } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startPeer, type PeerAnswer, type ReceivedRequest } from '../../helpers/peers/http-peer.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type ServerOptions } from '../../helpers/service/server.js'

const phone = '13800138000'
const secret = 'shared with the gateway'

const start = async (
  t: Test,
  answer: (request: ReceivedRequest, count: number) => PeerAnswer | Promise<PeerAnswer> = () => ({ status: 200 }),
  sms = {},
  options: ServerOptions = {},
) => {
  const gateway = await startPeer(t, answer)
  const webhook = { url: `${gateway.url}/sms`, secret }
  const server = await startServer(t, {
    ...options,
    settings: { sms: { sender: 'webhook', webhook, ...sms }, ...options.settings },
  })
  await server.addUser('alice', { phone })
  const requestCode = (number = phone) => server.call('POST', '/auth/captcha/sms', { json: { phone: number } })
  const signIn = (code: string, number = phone) =>
    server.call('POST', '/auth/login', { json: { authType: 'phone_captcha', phone: number, code } })
  return { gateway, server, requestCode, signIn }
}

const codeOf = (request: ReceivedRequest | undefined): string => JSON.parse(request?.body ?? '{}').code

test('phone_captcha signs in with the code that the signed webhook carried', async (t) => {
  const { gateway, server, requestCode, signIn } = await start(t)
  expectSuccess(t, await requestCode())
  const [request] = await gateway.waitFor(1)
  const message = JSON.parse(request?.body ?? '')
  t.match(message, { phone: '+8613800138000', code: /^\d{6}$/, language: 'en' })
  t.match(message.text, message.code)
  const timestamp = String(request?.headers['x-rollcall-timestamp'])
  t.equal(Number(timestamp), server.clock.now() / 1000)
  const expected = createHmac('sha256', secret)
    .update(`${timestamp}.${request?.body ?? ''}`)
    .digest('hex')
  t.equal(request?.headers['x-rollcall-signature'], `sha256=${expected}`)
  t.equal(expectSuccess(t, await signIn(codeOf(request))).userInfo.username, 'alice')
})

for (const [publicUrl, last] of [
  ['https://id.example.com:8443/iam', /[^]\n@id\.example\.com #\d{6}$/],
  [undefined, /^[^\n@#]*$/],
] as const)
  test(`the last line of a text message with a code is that of the host of publicUrl: ${publicUrl ?? 'none is set'}`, async (t) => {
    const { gateway, requestCode } = await start(t, undefined, {}, { settings: publicUrl ? { publicUrl } : {} })
    expectSuccess(t, await requestCode())
    const [request] = await gateway.waitFor(1)
    const { text, code } = JSON.parse(request?.body ?? '')
    t.match(text, last)
    if (publicUrl) t.equal(text.split('\n').at(-1), `@id.example.com #${code}`)
  })

test('L4: of 50 parallel tries with the right code of a text message exactly one signs in', async (t) => {
  const { gateway, requestCode, signIn } = await start(t)
  expectSuccess(t, await requestCode())
  const [request] = await gateway.waitFor(1)
  const answers = await parallel(50, () => signIn(codeOf(request)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('the number may be written in any of its ways', async (t) => {
  const { gateway, server, requestCode, signIn } = await start(t)
  for (const [index, number] of ['+86 138 0013 8000', '008613800138000', '138-0013-8000'].entries()) {
    expectSuccess(t, await requestCode(number))
    const requests = await gateway.waitFor(index + 1)
    expectProblem(t, await requestCode(), 'too_many_requests')
    expectSuccess(t, await signIn(codeOf(requests[index]), phone))
    server.clock.advance(61)
  }
})

test('query parameters with an empty form body are taken, as existing clients send them', async (t) => {
  const { gateway, server } = await start(t)
  const answer = await server.call('POST', '/auth/captcha/sms', {
    query: { phone },
    raw: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  t.match(expectSuccess(t, answer), { status: 'success', interval: 60, message: String })
  await gateway.waitFor(1)
})

test('a gateway that fails is asked again, one that refuses is not', async (t) => {
  const failing = await start(t, (_request, count) => ({ status: count < 3 ? 500 : 200 }))
  expectSuccess(t, await failing.requestCode())
  const requests = await failing.gateway.waitFor(3)
  expectSuccess(t, await failing.signIn(codeOf(requests[2])))

  const refusing = await start(t, () => ({ status: 400 }))
  expectSuccess(t, await refusing.requestCode())
  await refusing.server.app.close()
  t.equal(refusing.gateway.received.length, 1)
  t.match(refusing.server.log(), /a code could not be delivered/)
  t.notMatch(refusing.server.log(), codeOf(refusing.gateway.received[0]))
})

test('a gateway that hangs holds nobody up', async (t) => {
  const never = new Promise<PeerAnswer>(() => undefined)
  const { server, requestCode } = await start(t, () => never, { timeout: 3, retries: 0 })
  expectSuccess(t, await requestCode())
  t.notMatch(server.log(), /a code could not be delivered/, 'the answer does not wait for the gateway')
  await server.app.close()
  t.match(server.log(), /a code could not be delivered/)
})

test('the sender log writes messages to the log, and is refused in production', async (t) => {
  const server = await startServer(t, { settings: { sms: { sender: 'log' } } })
  await server.addUser('alice', { phone })
  expectSuccess(t, await server.call('POST', '/auth/captcha/sms', { json: { phone } }))
  await eventually(
    'the message in the log',
    () => /Your sign-in code for Rollcall: \d{6}\. It/.exec(server.log()) ?? undefined,
  )
  process.env['NODE_ENV'] = 'production'
  t.teardown(() => delete process.env['NODE_ENV'])
  await t.rejects(startServer(t, { settings: { sms: { sender: 'log' } } }), /refused with NODE_ENV=production/)
})

test('a sender without its settings stops the start and names them', async (t) => {
  await t.rejects(
    startServer(t, { settings: { sms: { sender: 'webhook' } } }),
    /sms\.webhook\.url, sms\.webhook\.secret/,
  )
  await t.rejects(startServer(t, { settings: { sms: { sender: 'aliyun' } } }), /sms\.aliyun\.accessKeyId/)
})

/** Recomputes the signature ACS3-HMAC-SHA256 of a request as Alibaba Cloud documents it. */
const isSigned = ({ method, url, headers, body }: ReceivedRequest, key: string): boolean => {
  const [, names = '', signature = ''] =
    /SignedHeaders=([^,]+),\s*Signature=(\w+)/.exec(headers.authorization ?? '') ?? []
  const [path = '', query = ''] = url.split('?')
  const parameters = [...new URLSearchParams(query)].sort(([one], [other]) => (one < other ? -1 : 1))
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const canonicalQuery = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const canonicalHeaders = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('')
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  if (headers['x-acs-content-sha256'] !== hash(body)) return false
  const canonical = [method, path, canonicalQuery, canonicalHeaders, names, hash(body)].join('\n')
  const expected = createHmac('sha256', key)
    .update(`ACS3-HMAC-SHA256\n${hash(canonical)}`)
    .digest('hex')
  return signature === expected
}

test('Alibaba Cloud SMS gets a signed request with the template parameter', async (t) => {
  const cloud = await startPeer(t, () => ({ status: 200, body: JSON.stringify({ Code: 'OK', Message: 'OK' }) }))
  const aliyun = {
    endpoint: cloud.host,
    protocol: 'http',
    accessKeyId: 'key',
    accessKeySecret: 'key secret',
    signName: '签名',
    templateCode: 'SMS_1',
  }
  const server = await startServer(t, { settings: { sms: { sender: 'aliyun', aliyun } } })
  await server.addUser('alice', { phone })
  expectSuccess(t, await server.call('POST', '/auth/captcha/sms', { json: { phone } }))
  const [request] = await cloud.waitFor(1)
  t.ok(request && isSigned(request, aliyun.accessKeySecret), 'the signature is right')
  t.notOk(request && isSigned(request, 'another secret'))
  const query = new URLSearchParams(request?.url.split('?')[1])
  t.equal(query.get('PhoneNumbers'), phone)
  t.equal(query.get('SignName'), '签名')
  const { code } = JSON.parse(query.get('TemplateParam') ?? '{}')
  expectSuccess(t, await server.call('POST', '/auth/login', { json: { authType: 'phone_captcha', phone, code } }))
})

test('an operator lifts the pause of a phone number too', async (t) => {
  const { server, signIn } = await start(t)
  for (let count = 0; count < 5; count++) expectProblem(t, await signIn('000000'), 'invalid_code')
  expectProblem(t, await signIn('000000'), 'too_many_attempts')
  await server.operator.unlock('alice')
  expectProblem(t, await signIn('000000'), 'invalid_code')
})
