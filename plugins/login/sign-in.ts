import {
  defaultAuthType,
  defaultClient,
  defaultTenantId,
  type LoginRequest,
  type LoginResult,
} from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import type { Attempt, Attempts } from '../attempts/attempts.js'
import type { Captchas } from '../captcha/captchas.js'
import { problem } from '../errors/problem.js'
import type { Fault } from '../errors/violations.js'
import type { Sessions } from '../sessions/sessions.js'
import type { LoginMethod, LoginRegistry } from './registry.js'

/** Where a sign-in comes from. */
export interface Origin {
  address: string
  userAgent: string
}

interface Collaborators {
  registry: LoginRegistry
  captchas: Captchas
  attempts: Attempts
  sessions: Sessions
  captcha: Settings['captcha']
}

const missing = (request: LoginRequest, fields: readonly (keyof LoginRequest)[]): Fault[] =>
  fields.filter((field) => request[field] === undefined).map((field) => ({ field, rule: 'required' }))

export const createSignIn = ({ registry, captchas, attempts, sessions, captcha }: Collaborators) => {
  const needsCaptcha = async (method: LoginMethod, attempt: Attempt): Promise<boolean> => {
    if (method.captcha !== 'configured') return method.captcha === 'required'
    if (captcha.mode !== 'afterFailures') return captcha.mode === 'always'
    const failures = await attempts.failures(attempt)
    return failures.name >= captcha.nameFailures || failures.address >= captcha.addressFailures
  }

  const solveCaptcha = async (request: LoginRequest, tenantId: number) => {
    const { code, codeKey } = request
    if (code === undefined || codeKey === undefined) {
      throw problem('captcha_required', { faults: missing(request, ['code', 'codeKey']) })
    }
    await captchas.verify(codeKey, code, tenantId)
  }

  /**
   * Signs in by the method that `authType` names (interface 4.1, 5): its fields, the captcha, the count of tries, the
   * proof, the session. Throws the 400, 403 and 429 reasons of the catalogue.
   */
  return async (request: LoginRequest, { address, userAgent }: Origin): Promise<LoginResult> => {
    const method = registry.resolve(request.authType ?? defaultAuthType)
    const faults = missing(request, method.needs)
    if (faults.length > 0) throw problem('invalid_request', { faults })
    const { tenantId = defaultTenantId, userClient = defaultClient } = request
    const attempt = { tenantId, subject: method.subject(request), address }
    if (await needsCaptcha(method, attempt)) await solveCaptcha(request, tenantId)
    const user = await attempts.guard(attempt, () => method.verify(request, tenantId))
    return sessions.start(user, { userClient, address, userAgent })
  }
}
