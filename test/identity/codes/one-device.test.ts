import { test } from 'tap'
import { echo } from '../../helpers/service/captcha.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, firstStep } from '../../helpers/service/factors.js'
import { startServer } from '../../helpers/service/server.js'
import { another } from '../../helpers/service/self-service.js'
import { tally } from '../../helpers/values/compare.js'

const phone = '13800138000'

test('wrong one-time codes with one stolen device cookie leave the other devices of the owner their tries', async (t) => {
  const server = await startServer(t, {
    environment: { ...echo, TRUST_PROXY: '127.0.0.1' },
    settings: { sms: { sender: 'log' }, clients: { pc: { maxSessions: 100 } } },
  })
  await server.addUser('alice', { phone })
  const [stolen, own] = [cookiesOf(await firstStep(server, 'alice')), cookiesOf(await firstStep(server, 'alice'))]
  const headersOf = (address: string, cookie: string) => ({ 'x-forwarded-for': address, cookie })
  const receive = async (headers: Record<string, string>): Promise<{ code: string; codeKey: string }> =>
    expectSuccess(t, await server.call('POST', '/auth/captcha/sms', { json: { phone }, headers }))
  const enter = (json: object, headers: Record<string, string>) =>
    server.call('POST', '/auth/login', { json: { authType: 'phone_captcha', phone, ...json }, headers })

  const answers = []
  for (let requests = 0; requests < 6; requests++) {
    const headers = headersOf(`203.0.113.${requests}`, stolen)
    const { code, codeKey } = await receive(headers)
    for (let tries = 0; tries < 5; tries++) answers.push(await enter({ code: another(code), codeKey }, headers))
    server.clock.advance(61)
  }
  const counts = tally(answers)
  t.equal(counts['invalid_code'], 8, JSON.stringify(counts))
  const headers = headersOf('192.0.2.1', own)
  const { code, codeKey } = await receive(headers)
  expectSuccess(t, await enter({ code, codeKey }, headers))
})
