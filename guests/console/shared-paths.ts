import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  preSerializationHookHandler,
  preValidationHookHandler,
} from 'fastify'
import type { RolePage } from '../../schemas/role.js'
import type { SocialTicket } from '../../schemas/social.js'
import type { ImportFault, UserImportReport } from '../../schemas/user-files.js'
import { callerOf } from '../../lib/caller-of.js'
import { languageOf } from '../../lib/language.js'
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
import { readCodeOnly, readSignIn } from './sign-in-body.js'
import { readUnit } from './unit-filter.js'
import { inItsWords } from './words.js'

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
    if (reply.statusCode < 400) {
      next(null, payload)
      return
    }
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
  const text = [summary, ...shown, ...more].join(language === 'zh' ? '；' : '; ')
  return { ...report, summary: isOfFrontEnd(request) ? inItsWords(text) : text, errors }
}

/** The paths on which both front ends send requests, by the `operationId` of our own one. */
export const createSharedPaths = (
  { ticketOf }: Pick<ReturnType<typeof createIdentities>, 'ticketOf'>,
  signInMessage: NonNullable<SharedPath['answer']>,
): Record<string, SharedPath> => ({
  login: { rename: readSignIn, answer: signInMessage },
  sendSmsCode: { rename: readCodeOnly },
  sendEmailCode: { rename: readCodeOnly },
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
