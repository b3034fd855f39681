import type { LoginRequest } from '../../schemas/login.js'
import { problem } from '../../lib/problem.js'
import type { Channel } from '../one-time-codes/channels.js'
import type { Codes, CodeTry } from '../one-time-codes/codes.js'
import type { LoginMethod, SignInContext } from './registry.js'

/** Sign-in by a one-time code: one method for each configured channel. */
export const createCodeMethods = (channels: Channel[], codes: Codes): LoginMethod[] =>
  channels.map((channel) => {
    const toTry = (
      request: LoginRequest,
      { tenantId, userClient, source }: Pick<SignInContext, 'tenantId' | 'userClient' | 'source'>,
    ): CodeTry => ({
      purpose: 'sign-in',
      recipient: codes.readRecipient(channel, request[channel.field] ?? ''),
      codeKey: request.codeKey,
      tenantId,
      boundTo: userClient,
      source,
    })
    return {
      name: channel.authType,
      needs: [channel.field, 'code'],
      captcha: 'none',
      // Normalised: failures of all spellings of a number share their counters.
      subject: (request) => {
        const text = request[channel.field] ?? ''
        return { kind: channel.field, text: channel.normalise(text) ?? text }
      },
      triedCode: (request, context) => codes.describe(channel, toTry(request, context)),
      async verify(request, context) {
        if (request.code === undefined) throw problem('invalid_code')
        const tried = toTry(request, context)
        const correct = await codes.check(channel, tried, request.code, context.triedCode?.isFirst ?? false)
        const user = await channel.find(tried.tenantId, tried.recipient)
        if (!user) throw problem('invalid_code')
        await correct.take()
        return user
      },
    }
  })
