import { problem } from '../errors/problem.js'
import type { Channel } from '../one-time-codes/channels.js'
import type { Codes } from '../one-time-codes/codes.js'
import type { LoginMethod } from './registry.js'

/** Sign-in by a code sent to the person, one method for each channel that is configured. */
export const createCodeMethods = (channels: Channel[], codes: Codes): LoginMethod[] =>
  channels.map((channel) => ({
    name: channel.authType,
    needs: [channel.field, 'code'],
    captcha: 'none',
    // Counted in its one form: another spelling of the number is not another account.
    subject: (request) => channel.normalise(request[channel.field] ?? '') ?? request[channel.field] ?? '',
    verify: (request, place) => {
      const { code } = request
      const recipient = request[channel.field]
      if (code === undefined || recipient === undefined) throw problem('invalid_code')
      return codes.verify(channel, recipient, code, place)
    },
  }))
