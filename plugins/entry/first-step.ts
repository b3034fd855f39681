import type { SignInName } from '../../db/sign-in-names.js'
import type { Needs } from '../../lib/needs.js'
import { addressKey } from '../../lib/address-key.js'
import { problem } from '../../lib/problem.js'
import type { Fault } from '../../lib/violations.js'
import { defaultAuthType, defaultClient, defaultTenantId, type LoginRequest } from '../../schemas/login.js'
import type { ClientContext } from '../identity/devices/client.js'
import type { LoginMethod, OfferedMethod } from '../identity/login/registry.js'
import type { Requester } from '../identity/passwords/hash-queue.js'
import type { AttemptLimiter } from '../throttle/attempts/attempts.js'
import type { Proved } from './proved.js'

/** Throws `invalid_request` for fields that the method needs. */
export const checkFields = (request: LoginRequest, { needs }: Pick<LoginMethod, 'needs'>): void => {
  const faults = (typeof needs === 'function' ? needs(request) : needs)
    .filter((field) => request[field] === undefined)
    .map((field): Fault => ({ field, rule: 'required' }))
  if (faults.length > 0) throw problem('invalid_request', { faults })
}

/** The first step of a sign-in, or its only one. */
export const createFirstStep = (
  needs: Needs<'attempts' | 'captchas' | 'installation' | 'login' | 'loginLog' | 'passwords'>,
) => {
  const { attempts, captchas, loginLog, passwords } = needs
  const { ofTenant: methods } = needs.login
  const { captcha } = needs.installation.settings

  const needsCaptcha = (method: LoginMethod, limiter: AttemptLimiter, isKnown: boolean): boolean => {
    if (method.captcha !== 'configured') return method.captcha === 'required'
    if (captcha.mode !== 'afterFailures') return captcha.mode === 'always'
    // Bots must not fill the hash queue of strangers.
    if (!isKnown && passwords.isCrowded()) return true
    const failures = limiter.failures()
    return failures.name >= captcha.nameFailures || failures.address >= captcha.addressFailures
  }

  /** What the method asks for, whom the request names, and what is known of that name. */
  const look = async (
    method: OfferedMethod,
    request: LoginRequest,
    tenantId: number,
    { address, devices }: ClientContext,
  ) => {
    checkFields(request, method)
    const found = method.lookUp?.(request, tenantId)
    // Awaited by the method, if it comes to that.
    found?.account.catch(() => undefined)
    const named = await (found?.subject ?? method.subject?.(request))
    const subject: SignInName | undefined = typeof named === 'string' ? { kind: 'username', text: named } : named
    const [history, device] = await Promise.all([
      attempts.names.readHistory(tenantId, subject, address),
      devices.recognise(tenantId, subject),
    ])
    return { attempt: { tenantId, subject, address, device }, history, account: found?.account }
  }

  const authenticate = async (
    method: OfferedMethod,
    request: LoginRequest,
    { attempt, history, account }: Awaited<ReturnType<typeof look>>,
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
    const limiter = await attempts.limiterFor({ ...attempt, code: code?.tried }, history)
    const hasSolved = needsCaptcha(method, limiter, isKnown)
    if (hasSolved) await captchas.require(request, tenantId)
    const group = isKnown ? 'known' : hasSolved ? 'captcha' : 'stranger'
    const requester: Requester = { group, fairnessKey: sourceAddress }
    const verify = () => method.verify(request, { ...context, requester, code, account })
    const user = await (method.isNeverPaused ? verify() : limiter.run(verify))
    return { user, hasUsedCode: code !== undefined }
  }

  /** Checks in this order: required fields, lockouts, captcha, credential. */
  return async (request: LoginRequest, client: ClientContext): Promise<Proved> => {
    const { authType = defaultAuthType, userClient = defaultClient } = request
    const tenantId = request.tenantId ?? (await methods.tenantOf(authType, request)) ?? defaultTenantId
    const method = methods.resolve(authType)
    // Asked together; that the method is disabled is told before anything else.
    const looking = look(method, request, tenantId, client)
    looking.catch(() => undefined)
    await methods.requireEnabled(authType, tenantId)
    const found = await looking
    const { subject } = found.attempt
    const { address, userAgent } = client
    const event = { tenantId, subject, authType: method.name, userClient, address, userAgent }
    return loginLog.watch(event, async () => {
      const { history } = found
      const { user, hasUsedCode } = await authenticate(method, request, found, client)
      const step = { first: method.name, amr: [...(method.amr ?? [])], subject, hasUsedCode, userClient }
      const isTwoFactors = user.isTwoFactors ?? false
      return { user, step, isTwoFactors, trustsDevice: false, event, history, use: user.use }
    })
  }
}
