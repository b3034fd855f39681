import type { FastifyRequest, preValidationHookHandler } from 'fastify'

/** A code of digits may come as a number, which has lost the zeros before it: 0 has lost its length, too. */
const readCode = (code: unknown, length = 0): unknown =>
  typeof code === 'number' && Number.isSafeInteger(code) && code > 0 ? String(code).padStart(length, '0') : code

interface SentSignIn {
  authType?: unknown
  code?: unknown
  socialUuid?: unknown
  socialTicket?: unknown
}

const bodyOf = ({ body }: FastifyRequest): SentSignIn =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}

/** Sign-ins by codes of a fixed number of digits; answers of captchas never begin with a zero. */
const digitsOf: Record<string, number> = { phone_captcha: 6, email_captcha: 6, totp: 6 }

/** A code that comes as a number. Synchronous: every sign-in passes here. */
const renameCode = (request: FastifyRequest): void => {
  const body = bodyOf(request)
  if (typeof body.code !== 'number') return
  request.body = { ...body, code: readCode(body.code, digitsOf[String(body.authType)]) }
}
export const readCodeOnly: preValidationHookHandler = (request, _reply, next) => {
  renameCode(request)
  next()
}

/** A ticket is called `socialUuid` at the sign-in. */
export const readSignIn: preValidationHookHandler = (request, _reply, next) => {
  renameCode(request)
  const body = bodyOf(request)
  const { socialUuid, socialTicket } = body
  if (socialUuid !== undefined && (socialTicket ?? '') === '') request.body = { ...body, socialTicket: socialUuid }
  next()
}
