import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  preSerializationHookHandler,
  preValidationHookHandler,
} from 'fastify'
import type { RolePage } from '../schemas/role.js'
import type { SocialTicket } from '../schemas/social.js'
import type { ImportFault, UserImportReport } from '../schemas/user-files.js'
import { callerOf } from '../lib/caller-of.js'
import { languageOf } from '../lib/language.js'
import type { createIdentities } from './identities.js'
import {
  CompatLinkRequest,
  CompatRolePageAnswer,
  CompatRolePageQuery,
  CompatSocialTicketAnswer,
  CompatUserExportQuery,
  CompatUserPageQuery,
} from './schemas/shared.js'
import { isOfFrontEnd } from './console-request.js'
import type { Speak } from './dialogs.js'
import { readUnit } from './unit-filter.js'

/** What is read and answered besides on a path of our own. */
export interface SharedPath {
  /** Gives what was sent the names of our own fields, before it is validated. */
  rename?: preValidationHookHandler
  /** The shape of its query or body, which takes the place of the own one. */
  input?: TSchema
  /** Translates what was sent into what the route reads. */
  translate?: preHandlerHookHandler | ((request: FastifyRequest) => Promise<void>)
  /** Translates what the route answers. */
  answer?: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>
  /** Whether refusals are in the words of the forms for every client; absent: for the front end alone. */
  speaksToAll?: boolean
}

/** Translates refusals. Synchronous: every page of users passes here. */
export const speakOn =
  (speak: Speak, { speaksToAll = false }: SharedPath, home: Speak): preSerializationHookHandler =>
  (request, reply, payload, next) => {
    if (reply.statusCode < 400) return next(null, payload)
    const answered = home(request, reply, payload)
    const isTranslated = answered === payload && (speaksToAll || isOfFrontEnd(request))
    next(null, isTranslated ? speak(request, reply, payload) : answered)
  }

/** In the query, the unit becomes the tenant. Synchronous, and nothing is copied without a unit: every page of users passes here. */
const translateUnit: preHandlerHookHandler = (request, _reply, next) => {
  const query = request.query as { orgId?: number }
  if (query.orgId !== undefined) request.query = readUnit(query)
  next()
}

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
const renameCodeOnly: preValidationHookHandler = (request, _reply, next) => {
  renameCode(request)
  next()
}

/** A ticket is called `socialUuid` at the sign-in. */
const renameSignIn: preValidationHookHandler = (request, _reply, next) => {
  renameCode(request)
  const body = bodyOf(request)
  const { socialUuid, socialTicket } = body
  if (socialUuid !== undefined && (socialTicket ?? '') === '') request.body = { ...body, socialTicket: socialUuid }
  next()
}

/** Translates `data` of a success, which is then serialized by `schema`. */
const answerWith =
  (change: (data: never, request: FastifyRequest) => unknown, schema?: TSchema): SharedPath['answer'] =>
  async (request, reply, payload) => {
    if (reply.statusCode !== 200) return payload
    const { data, ...envelope } = payload as { data: never }
    if (schema) reply.serializer(reply.compileSerializationSchema(schema))
    return { ...envelope, data: change(data, request) }
  }

/** Adds the names that this front end reads. */
const withRoleNames = (data: RolePage) => ({
  ...data,
  records: data.records.map((role) => ({
    ...role,
    roleName: role.name,
    roleKey: role.key,
    roleType: 1,
    dataScope: 1,
    roleStatus: 1,
  })),
})

/** Faults of an import in a dialog. */
const shownFaults = 5

const faultTexts = {
  en: ({ rowNum, columnName, errorMessage }: ImportFault) => `row ${rowNum}: ${columnName} ${errorMessage}`,
  zh: ({ rowNum, columnName, errorMessage }: ImportFault) =>
    `第 ${rowNum} 行：${errorMessage.startsWith(columnName) ? '' : columnName}${errorMessage}`,
}

/** The front end shows `summary` and nothing else. */
const withFaults = ({ errors, summary, ...report }: UserImportReport, request: FastifyRequest) => {
  const language = languageOf(request)
  const shown = errors.slice(0, shownFaults).map(faultTexts[language])
  const more = errors.length > shown.length ? ['…'] : []
  const texts = [summary, ...shown, ...more]
  return { ...report, summary: texts.join(language === 'zh' ? '；' : '; '), errors }
}

/** The paths on which both front ends send requests, by the `operationId` of our own one. */
export const createSharedPaths = (
  { ticketOf }: Pick<ReturnType<typeof createIdentities>, 'ticketOf'>,
  signInMessage: NonNullable<SharedPath['answer']>,
): Record<string, SharedPath> => ({
  login: { rename: renameSignIn, answer: signInMessage },
  sendSmsCode: { rename: renameCodeOnly },
  sendEmailCode: { rename: renameCodeOnly },
  changePassword: {},
  completeSocialSignIn: {
    answer: answerWith((ticket: SocialTicket) => ({ ...ticket, uuid: ticket.socialTicket }), CompatSocialTicketAnswer),
  },
  getUserPage: { input: CompatUserPageQuery, translate: translateUnit },
  exportUsers: { input: CompatUserExportQuery, translate: translateUnit },
  importUsers: { answer: answerWith(withFaults), speaksToAll: true },
  getRolePage: {
    input: CompatRolePageQuery,
    translate: translateUnit,
    answer: answerWith(withRoleNames, CompatRolePageAnswer),
  },
  linkIdentity: {
    input: CompatLinkRequest,
    translate: async (request: FastifyRequest) => {
      const sent = request.body as CompatLinkRequest
      request.body = { ...sent, socialTicket: await ticketOf(callerOf(request), sent, request.clientContext) }
    },
  },
})
