import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify'
import type { RolePage } from '../schemas/role.js'
import { callerOf } from '../lib/caller-of.js'
import type { createIdentities } from './identities.js'
import {
  CompatLinkRequest,
  CompatRolePageAnswer,
  CompatRolePageQuery,
  CompatUserExportQuery,
  CompatUserPageQuery,
} from './schemas/shared.js'
import { readUnit } from './unit-filter.js'

/** What is read and answered besides on a path of our own. */
export interface SharedPath {
  /** The shape of its query or body, which takes the place of the own one. */
  input: TSchema
  /** Translates what was sent into what the route reads. */
  translate: preHandlerHookHandler | ((request: FastifyRequest) => Promise<void>)
  /** Translates what the route answers. */
  answer?: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>
}

/** In the query, the unit becomes the tenant. Synchronous, and nothing is copied without a unit: every page of users passes here. */
const translateUnit: preHandlerHookHandler = (request, _reply, next) => {
  const query = request.query as { orgId?: number }
  if (query.orgId !== undefined) request.query = readUnit(query)
  next()
}

/** Adds the names that this front end reads. */
const withRoleNames = async (_request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
  if (reply.statusCode !== 200) return payload
  const { data, ...envelope } = payload as { data: RolePage }
  reply.serializer(reply.compileSerializationSchema(CompatRolePageAnswer))
  const records = data.records.map((role) => ({
    ...role,
    roleName: role.name,
    roleKey: role.key,
    roleType: 1,
    dataScope: 1,
    roleStatus: 1,
  }))
  return { ...envelope, data: { ...data, records } }
}

/** The paths on which both front ends send requests, by the `operationId` of our own one. */
export const createSharedPaths = ({
  ticketOf,
}: Pick<ReturnType<typeof createIdentities>, 'ticketOf'>): Record<string, SharedPath> => ({
  getUserPage: { input: CompatUserPageQuery, translate: translateUnit },
  exportUsers: { input: CompatUserExportQuery, translate: translateUnit },
  getRolePage: { input: CompatRolePageQuery, translate: translateUnit, answer: withRoleNames },
  linkIdentity: {
    input: CompatLinkRequest,
    translate: async (request: FastifyRequest) => {
      const sent = request.body as CompatLinkRequest
      request.body = { ...sent, socialTicket: await ticketOf(callerOf(request), sent, request.clientContext) }
    },
  },
})
