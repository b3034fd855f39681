import { problem } from '../../../lib/problem.js'
import type { Channel } from '../codes/channels.js'
import type { Codes } from '../codes/codes.js'
import type { LoginMethod } from './registry.js'

const methods = [
  {
    name: 'phone_captcha',
    meaning: 'phone number and one-time code',
    summary: 'Sign-in by the one-time code of `POST /auth/captcha/sms`',
    needs: ['phone', 'code'],
    amr: ['sms'],
    firstAnswer: 'noSms',
    isWayIn: (user) => user.phone !== null,
  },
  {
    name: 'email_captcha',
    meaning: 'e-mail address and one-time code',
    summary: 'Sign-in by the one-time code of `POST /auth/captcha/email`',
    needs: ['email', 'code'],
    amr: ['otp'],
    firstAnswer: 'noMail',
    isWayIn: (user) => user.email !== null,
  },
] as const satisfies Partial<LoginMethod>[]

const verification = (channel: Channel, codes: Codes): Pick<LoginMethod, 'subject' | 'findCode' | 'verify'> => ({
  // Normalised: failures of all spellings of a number share their counters.
  subject: (request) => {
    const text = request[channel.field] ?? ''
    return { kind: channel.field, text: channel.normalise(text) ?? text }
  },
  findCode: (request, { tenantId, userClient, source }) =>
    codes.find(channel, {
      purpose: 'sign-in',
      recipient: codes.readRecipient(channel, request[channel.field] ?? ''),
      codeKey: request.codeKey,
      tenantId,
      boundTo: userClient,
      source,
    }),
  async verify(request, { tenantId, code }) {
    const correct = await code?.check(request.code ?? '')
    const user = await channel.find(tenantId, codes.readRecipient(channel, request[channel.field] ?? ''))
    if (!correct || !user) throw problem('invalid_code')
    correct.checkOwner(user)
    await correct.take()
    return user
  },
})

/** Sign-in by a one-time code of a configured channel. */
export const createCodeMethods = (channels: Channel[], codes: Codes): LoginMethod[] =>
  methods.map((method) => {
    const channel = channels.find(({ authType }) => authType === method.name)
    return { ...method, takes: ['codeKey'], captcha: 'none', ...(channel && verification(channel, codes)) }
  })
