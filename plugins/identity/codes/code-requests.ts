import type { Contact } from '../../../db/sign-in-names.js'
import type { CodeSent } from '../../../schemas/one-time-code.js'
import type { ClientDevices } from '../devices/device-cookie.js'
import type { Needs } from '../../../lib/needs.js'
import { addressKey } from '../../../lib/address-key.js'
import { pickLanguage } from '../../../lib/language.js'
import type { Channel } from './channels.js'
import type { Codes, NewCode } from './codes.js'
import type { Delivery } from './delivery.js'
import type { SendingLimits } from '../../throttle/sending-limits.js'

/** The answer to a captcha, if the request has one. */
interface CaptchaAnswer {
  code?: string
  codeKey?: string
}

/** The client of a request for a code, or of a try. */
export interface CodeClient {
  address: string
  acceptLanguage: string | undefined
  devices: ClientDevices
}

/** `subject` is the recipient under which requests and tries are counted. */
export type WantedCode = Omit<NewCode, 'source' | 'language'> & { subject: Contact }

interface Sending {
  codes: Codes
  limits: SendingLimits
  delivery: Delivery
}

/**
 * Handles requests for a code of any purpose: checks the sending limits, then sends a code. The limits of a recipient count
 * the codes of all purposes together. Throws `unavailable` when the delivery queue is full, and the errors of
 * `SendingLimits.admit`.
 */
export const createCodeRequests = (
  { attempts, captchas, installation, notices }: Needs<'attempts' | 'captchas' | 'installation' | 'notices'>,
  { codes, limits, delivery }: Sending,
) => {
  const { interval } = installation.settings.oneTimeCodes
  return async (
    channel: Channel,
    { subject, ...wanted }: WantedCode,
    captcha: CaptchaAnswer,
    client: CodeClient,
  ): Promise<CodeSent> => {
    const { tenantId } = wanted
    delivery.checkCapacity()
    const source = {
      address: addressKey(client.address),
      device: await client.devices.recognise(tenantId, subject),
    }
    // `counterKey` changes when an account is unlocked, so unlocking resets the sending limits too.
    const { counterKey, isKnownAddress } = await attempts.names.readHistory(tenantId, subject, client.address)
    const permit = await limits.admit(`one-time-code:${channel.name}:${counterKey}`, {
      ...source,
      isKnownAddress,
      hasCaptcha: captcha.code !== undefined && captcha.codeKey !== undefined,
      requireCaptcha: () => captchas.require(captcha, tenantId),
    })
    const language = pickLanguage(client.acceptLanguage)
    const sent = await codes.send(channel, { ...wanted, source, language }, permit)
    return {
      status: 'success',
      interval,
      message: notices.composer.codeSent(language),
      codeKey: sent.codeKey,
      ...(installation.devEcho ? { code: sent.code } : {}),
    }
  }
}

export type RequestCode = ReturnType<typeof createCodeRequests>
