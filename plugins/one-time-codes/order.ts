import type { DisabledMethodRepository } from '../../db/disabled-methods.js'
import { defaultClient, defaultTenantId, type UserClient } from '../../schemas/login.js'
import type { CodeSent } from '../../schemas/one-time-code.js'
import type { Settings } from '../../schemas/settings.js'
import type { Captchas } from '../captcha/captchas.js'
import { pickLanguage } from '../errors/language.js'
import { problem } from '../errors/problem.js'
import type { Channel } from './channels.js'
import type { Codes } from './codes.js'
import { texts } from './texts.js'

interface CodeRequest {
  phone?: string
  email?: string
  tenantId?: number
  userClient?: UserClient
  code?: string
  codeKey?: string
}

interface Origin {
  address: string
  acceptLanguage: string | undefined
}

interface Collaborators {
  channels: Channel[]
  codes: Codes
  captchas: Captchas
  disabledMethods: DisabledMethodRepository
  settings: Settings['oneTimeCodes']
  echo: boolean
}

/**
 * Answers a request for a code: the captcha, when the configuration asks for one, then the code.
 * Throws `unsupported_auth_type` for a channel that is not configured or not for this tenant, `captcha_required`, `invalid_code`, and what
 * sending throws.
 */
export const createOrder =
  ({ channels, codes, captchas, disabledMethods, settings, echo }: Collaborators) =>
  async (name: Channel['name'], request: CodeRequest, { address, acceptLanguage }: Origin): Promise<CodeSent> => {
    const channel = channels.find((candidate) => candidate.name === name)
    if (!channel) throw problem('unsupported_auth_type')
    const { tenantId = defaultTenantId, userClient = defaultClient } = request
    if ((await disabledMethods.of(tenantId)).includes(channel.authType)) throw problem('unsupported_auth_type')
    if (settings.captcha) await captchas.require(request, tenantId)
    const language = pickLanguage(acceptLanguage)
    const recipient = request[channel.field] ?? ''
    const code = await codes.send(channel, { recipient, tenantId, userClient, address, language })
    return {
      status: 'success',
      interval: settings.interval,
      message: texts[language].sent,
      ...(echo ? { code } : {}),
    }
  }
