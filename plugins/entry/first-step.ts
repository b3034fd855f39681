import type { SignInName } from '../../db/sign-in-names.js'
import { addressKey } from '../../lib/address-key.js'
import { problem } from '../../lib/problem.js'
import type { Fault } from '../../lib/violations.js'
import { defaultAuthType, defaultClient, defaultTenantId, type LoginRequest } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import type { Captchas } from '../identity/captcha/captchas.js'
import type { ClientContext } from '../identity/devices/client.js'
import type { LoginMethod, OfferedMethod } from '../identity/login/registry.js'
import type { TenantMethods } from '../identity/login/tenant-methods.js'
import type { Requester } from '../identity/passwords/hash-queue.js'
import type { Passwords } from '../identity/passwords/index.js'
import type { LoginLog } from '../record/login-log/login-log.js'
import type { Attempt } from '../throttle/attempts/attempt.js'
import type { AttemptLimiter, Attempts } from '../throttle/attempts/attempts.js'
import type { Proved } from './proved.js'

interface Collaborators {
  methods: Pick<TenantMethods, 'resolve' | 'tenantOf'>
  captchas: Pick<Captchas, 'require'>
  attempts: Pick<Attempts, 'limiterFor'>
  loginLog: Pick<LoginLog, 'watch'>
  passwords: Pick<Passwords, 'isCrowded'>
  captcha: Settings['captcha']
}

/** Throws `invalid_request` for fields that the method needs. */
export const checkFields = (request: LoginRequest, { needs }: Pick<LoginMethod, 'needs'>): void => {
  const faults = (typeof needs === 'function' ? needs(request) : needs)
    .filter((field) => request[field] === undefined)
    .map((field): Fault => ({ field, rule: 'required' }))
  if (faults.length > 0) throw problem('invalid_request', { faults })
}

/** The first step of a sign-in, or its only one. */
export const createFirstStep = ({ methods, captchas, attempts, loginLog, passwords, captcha }: Collaborators) => {
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

  /** Checks in this order: required fields, lockouts, captcha, credential. */
  return async (request: LoginRequest, client: ClientContext): Promise<Proved> => {
    const { authType = defaultAuthType, userClient = defaultClient } = request
    const tenantId = request.tenantId ?? (await methods.tenantOf(authType, request)) ?? defaultTenantId
    const method = await methods.resolve(authType, tenantId)
    checkFields(request, method)
    const { address, userAgent, devices } = client
    const named = await method.subject?.(request, tenantId)
    const subject: SignInName | undefined = typeof named === 'string' ? { kind: 'username', text: named } : named
    const event = { tenantId, subject, authType: method.name, userClient, address, userAgent }
    return loginLog.watch(event, async () => {
      const device = await devices.recognise(tenantId, subject)
      const attempt = { tenantId, subject, address, device }
      const { user, history, hasUsedCode } = await authenticate(method, request, attempt, client)
      const step = { first: method.name, amr: [...(method.amr ?? [])], subject, hasUsedCode, userClient }
      const isTwoFactors = user.isTwoFactors ?? false
      return { user, step, isTwoFactors, trustsDevice: false, event, history, use: user.use }
    })
  }
}
