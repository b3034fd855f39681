import type { Test } from 'tap'
import { echo, solvedCaptcha } from '../service/captcha.js'
import { startServer, userPassword, type Answer } from '../service/server.js'

const wrong = 'wrong horse battery'
const phone = '13800138000'
const email = 'alice@example.com'
const home = '198.51.100.7'

export const cookieOf = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
export const another = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

/** A server with alice, who has a phone number and an e-mail address, and those who attack her account. */
export const startAttack = async (t: Test, settings: object = {}) => {
  const server = await startServer(t, {
    environment: { ...echo, TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on', SMTP_URL: 'smtp://127.0.0.1:1' },
    settings: {
      sms: { sender: 'log' },
      // The attackers solve every captcha that is asked for at a password.
      captcha: { type: 'pow', powCost: 1, nameFailures: 1_000_000, addressFailures: 1_000_000 },
      rateLimits: { signIn: 1_000_000, captcha: 1_000_000 },
      clients: { pc: { maxSessions: 1000, accessTtl: 200_000, idleTtl: 200_000, maxTtl: 2_000_000 } },
      ...settings,
    },
  })
  await server.addUser('alice', { phone, email })
  const post = (path: string, address: string, json: object, more: { cookie?: string; token?: string } = {}) =>
    server.call('POST', path, {
      json,
      headers: { 'x-forwarded-for': address, ...(more.cookie === undefined ? {} : { cookie: more.cookie }) },
      ...(more.token === undefined ? {} : { token: more.token }),
    })
  const login = (address: string, password = userPassword, cookie?: string) =>
    post('/auth/login', address, { username: 'alice', password }, cookie === undefined ? {} : { cookie })
  let count = 0
  /** One of 1,000 addresses of strangers, in turns. */
  const stranger = () => `10.${Math.floor((count++ % 1000) / 250)}.0.${count % 250}`
  let devices = 0
  const fresh = () => `172.16.${Math.floor(devices / 250)}.${devices++ % 250}`

  const channels = [
    { path: '/auth/captcha/sms', who: { phone }, authType: 'phone_captcha' },
    { path: '/auth/captcha/email', who: { email }, authType: 'email_captcha' },
  ]
  return {
    server,
    login,
    post,
    home,
    wrong,
    stranger,
    fresh,
    channels,

    /** Strangers guess until the name waits, ask for codes and guess those. */
    strike: async (): Promise<void> => {
      for (let tries = 0; tries < 60; tries++) if ((await login(stranger(), wrong)).status === 429) break
      for (const { path, who, authType } of channels) {
        const address = stranger()
        const { codeKey, code = '000000' } = (await post(path, address, who)).body.data
        for (let tries = 1; tries <= 5; tries++) {
          await post('/auth/login', address, {
            authType,
            ...who,
            code: another(code, tries),
            ...(codeKey && { codeKey }),
          })
          await post('/auth/login', stranger(), { authType, ...who, code: '000000' })
        }
      }
    },

    /** Somebody on a new device, at a new address, asks for a code and signs in with it. */
    signInByCode: async (): Promise<Answer> => {
      const address = fresh()
      const json = { phone }
      let answer = await post('/auth/captcha/sms', address, json)
      if (answer.status === 429 && Number(answer.headers.get('retry-after')) <= 60) {
        server.clock.advance(60)
        answer = await post('/auth/captcha/sms', address, json)
      }
      if (answer.body.data.reason === 'captcha_required') {
        answer = await post('/auth/captcha/sms', address, { ...json, ...(await solvedCaptcha(server)) })
      }
      if (answer.status !== 200) return answer
      const { code, codeKey } = answer.body.data
      return post('/auth/login', address, { authType: 'phone_captcha', phone, code, codeKey })
    },
  }
}

/** Hours of an attack in which each kind of owner was kept out. */
export const hoursKeptOut = async (t: Test, hours: number, stepMinutes: number) => {
  const { server, login, home: address, fresh, strike, signInByCode } = await startAttack(t)
  const cookie = cookieOf(await login(address))
  const kept = { knownDevice: 0, knownAddress: 0, newDeviceWithContact: 0, newDeviceWithout: 0 }
  for (let minute = 0; minute < hours * 60; minute += stepMinutes) {
    await strike()
    const outcomes = {
      knownDevice: await login(fresh(), userPassword, cookie),
      knownAddress: await login(address),
      newDeviceWithout: await login(fresh()),
      newDeviceWithContact: await signInByCode(),
    }
    for (const kind of Object.keys(kept) as (keyof typeof kept)[]) {
      if (outcomes[kind].status !== 200) kept[kind] += stepMinutes / 60
    }
    server.clock.advance(stepMinutes * 60)
  }
  return kept
}
