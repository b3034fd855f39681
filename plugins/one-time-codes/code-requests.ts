import type { DisabledMethodRepository } from '../../db/repositories/disabled-methods.js'
import { defaultClient, defaultTenantId, type UserClient } from '../../schemas/login.js'
import type { CodeSent } from '../../schemas/one-time-code.js'
import type { Attempts } from '../attempts/attempts.js'
import type { Captchas } from '../captcha/captchas.js'
import type { createDevices, DeviceHints } from '../devices/device-cookie.js'
import { pickLanguage } from '../../lib/language.js'
import { problem } from '../../lib/problem.js'
import type { Channel } from './channels.js'
import type { Codes } from './codes.js'
import type { Delivery } from './delivery.js'
import type { SendingLimits } from './sending-limits.js'
import { texts } from './texts.js'

interface CodeRequest {
  phone?: string
  email?: string
  tenantId?: number
  userClient?: UserClient
  code?: string
  codeKey?: string
}

interface ClientContext {
  address: string
  acceptLanguage: string | undefined
  deviceHints: DeviceHints
}

interface Collaborators {
  channels: Channel[]
  codes: Codes
  limits: SendingLimits
  delivery: Delivery
  captchas: Captchas
  names: Attempts['names']
  devices: Pick<ReturnType<typeof createDevices>, 'recognise'>
  disabledMethods: DisabledMethodRepository
  /** Maps a network address to the key under which it is counted. */
  addressKey: (address: string) => string
  interval: number
  echo: boolean
}

/**
 * Handles requests for a code: checks the sending limits, then sends a code. Throws `unsupported_auth_type` for a channel
 * that is not configured or that the tenant has disabled, `unavailable` when the delivery queue is full, and the errors of
 * `SendingLimits.admit`.
 */
export const createCodeRequests = (collaborators: Collaborators) => {
  const { channels, codes, limits, delivery, captchas, names, devices, disabledMethods } = collaborators
  return async (name: Channel['name'], request: CodeRequest, client: ClientContext): Promise<CodeSent> => {
    const channel = channels.find((candidate) => candidate.name === name)
    if (!channel) throw problem('unsupported_auth_type')
    const { tenantId = defaultTenantId, userClient = defaultClient } = request
    if ((await disabledMethods.of(tenantId)).includes(channel.authType)) throw problem('unsupported_auth_type')
    const recipient = codes.readRecipient(channel, request[channel.field] ?? '')
    delivery.checkCapacity()
    const source = {
      address: collaborators.addressKey(client.address),
      device: await devices.recognise(client.deviceHints, tenantId, recipient),
    }
    // `counterKey` changes when an account is unlocked, so unlocking resets the sending limits too.
    const { counterKey, isKnownAddress } = await names.readHistory(tenantId, recipient, client.address)
    const admission = await limits.admit(`one-time-code:${name}:${counterKey}`, {
      ...source,
      isKnownAddress,
      hasCaptcha: request.code !== undefined && request.codeKey !== undefined,
      requireCaptcha: () => captchas.require(request, tenantId),
    })
    const language = pickLanguage(client.acceptLanguage)
    const sent = await codes.send(channel, { recipient, tenantId, userClient, source, language }, admission)
    return {
      status: 'success',
      interval: collaborators.interval,
      message: texts[language].sent,
      codeKey: sent.codeKey,
      ...(collaborators.echo ? { code: sent.code } : {}),
    }
  }
}
