import { accountOf } from '../../../lib/account-of.js'
import type { SignInName } from '../../../db/sign-in-names.js'
import {
  defaultAuthType,
  defaultClient,
  defaultTenantId,
  type LoginRequest,
  type LoginResult,
} from '../../../schemas/login.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Attempt } from '../../throttle/attempts/attempt.js'
import type { AttemptLimiter, Attempts } from '../../throttle/attempts/attempts.js'
import type { Captchas } from '../captcha/captchas.js'
import { addressKey } from '../../../lib/address-key.js'
import { isProblem, problem } from '../../../lib/problem.js'
import type { ClientContext } from '../devices/client.js'
import type { Fault } from '../../../lib/violations.js'
import type { LoginLog } from '../../record/login-log/login-log.js'
import type { Requester } from '../passwords/hash-queue.js'
import type { Passwords } from '../passwords/index.js'
import type { Sessions } from '../../sessions/sessions/sessions.js'
import type { AfterSignIn } from './after-sign-in.js'
import { secondSteps } from './factor-methods.js'
import type { Gate } from './gate.js'
import type { SecondStep } from './second-step.js'
import type { LoginMethod, OfferedMethod } from './registry.js'
import type { TenantMethods } from './tenant-methods.js'

interface Collaborators {
  methods: TenantMethods
  captchas: Captchas
  attempts: Attempts
  sessions: Sessions
  loginLog: LoginLog
  passwords: Pick<Passwords, 'isCrowded'>
  captcha: Settings['captcha']
  afterSignIn: AfterSignIn
  gate: Gate
  secondStep: SecondStep['answer']
}

/** Throws `invalid_request` for fields that the method needs. */
const checkFields = (request: LoginRequest, { needs }: Pick<LoginMethod, 'needs'>): void => {
  const faults = (typeof needs === 'function' ? needs(request) : needs)
    .filter((field) => request[field] === undefined)
    .map((field): Fault => ({ field, rule: 'required' }))
  if (faults.length > 0) throw problem('invalid_request', { faults })
}

export const createSignIn = (collaborators: Collaborators) => {
  const { methods, captchas, attempts, sessions, loginLog, passwords, captcha, afterSignIn } = collaborators
  const { gate, secondStep } = collaborators

  const needsCaptcha = (method: LoginMethod, limiter: AttemptLimiter, isKnown: boolean): boolean => {
    if (method.captcha !== 'configured') return method.captcha === 'required'
    if (captcha.mode !== 'afterFailures') return captcha.mode === 'always'
    // Bots must not fill the hash queue of strangers.
    if (!isKnown && passwords.isCrowded()) return true
    const failures = limiter.failures()
    return failures.name >= captcha.nameFailures || failures.address >= captcha.addressFailures
  }

  const authenticate = async (
    method: OfferedMethod,
    request: LoginRequest,
    attempt: Attempt,
    client: ClientContext,
  ) => {
    const { tenantId, address, device } = attempt
    const { userClient = defaultClient } = request
    const isKnown = device !== undefined
    const sourceAddress = addressKey(address)
    const context = {
      tenantId,
      userClient,
      browser: client.browser,
      client,
      source: { address: sourceAddress, device },
    }
    const code = await method.findCode?.(request, context)
    const limiter = await attempts.limiterFor({ ...attempt, code: code?.tried })
    const hasSolved = needsCaptcha(method, limiter, isKnown)
    if (hasSolved) await captchas.require(request, tenantId)
    const group = isKnown ? 'known' : hasSolved ? 'captcha' : 'stranger'
    const requester: Requester = { group, fairnessKey: sourceAddress }
    const verify = () => method.verify(request, { ...context, requester, code })
    const user = await (method.isNeverPaused ? verify() : limiter.run(verify))
    return { user, history: limiter.history, hasUsedCode: code !== undefined }
  }

  /**
   * Signs in by the method `authType` (interface 4.1, 5). Checks in this order: required fields, lockouts, captcha,
   * credential, session limit. Every try is written to the login log. Throws the 400, 403 and 429 reasons of the catalogue.
   */
  return async (request: LoginRequest, client: ClientContext): Promise<LoginResult> => {
    const { authType = defaultAuthType, userClient = defaultClient } = request
    const second = secondSteps.find(({ name }) => name === authType)
    if (second && (second.step === 'second' || request.ticket !== undefined)) {
      checkFields(request, second)
      return secondStep(second.name, request, client)
    }
    const tenantId = request.tenantId ?? (await methods.tenantOf(authType, request)) ?? defaultTenantId
    const method = await methods.resolve(authType, tenantId)
    checkFields(request, method)
    const { address, userAgent, acceptLanguage } = client
    const named = await method.subject?.(request, tenantId)
    const subject: SignInName | undefined = typeof named === 'string' ? { kind: 'username', text: named } : named
    const event = { tenantId, subject, authType: method.name, userClient, address, userAgent }
    try {
      const device = await client.devices.recognise(tenantId, subject)
      const attempt = { tenantId, subject, address, device }
      const { user, history, hasUsedCode } = await authenticate(method, request, attempt, client)
      const entry = loginLog.succeeded(
        { ...event, subject: subject ?? { kind: 'username', text: user.username } },
        user.id,
      )
      const account = accountOf(user)
      const isTwoFactors = user.isTwoFactors ?? false
      const known = client.devices.idFor(account)
      const renewal = isTwoFactors ? client.devices.renewId(account) : undefined
      const deviceId = known === undefined ? undefined : (renewal?.id ?? known)
      const step = { first: method.name, amr: [...(method.amr ?? [])], subject, hasUsedCode, userClient }
      const proved = { user, step, isTwoFactors, deviceId: known, use: user.use }
      const result = await gate(proved, (decision) =>
        sessions.start(decision, { userClient, address, userAgent, deviceId, acceptLanguage }, async (inside) => {
          await renewal?.move(inside)
          await entry.write(inside)
        }),
      )
      entry.log()
      await afterSignIn(user, { subject, history, hasUsedCode, client })
      return result
    } catch (error) {
      if (isProblem(error)) await loginLog.refused(event, error.code)
      throw error
    }
  }
}
