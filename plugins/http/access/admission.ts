import type { FastifyRequest } from 'fastify'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { problem } from '../../../lib/problem.js'
import type { DownloadTickets } from '../../sessions/sessions/download-tickets.js'
import type { Sessions } from '../../sessions/sessions/sessions.js'
import type { Attempts } from '../../throttle/attempts/attempts.js'
import { covers, isPermission, type Permission } from '../../../lib/permissions.js'

/** Who may call a route: any client, any signed-in user, or any user with the permission. */
export type Access = 'open' | 'session' | Permission

export const isAccess = (value: unknown): value is Access =>
  value === 'open' || value === 'session' || isPermission(value)

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Users who must change their password first may call the route: it shows themselves, or lets them change it or leave. */
    beforePasswordChange?: boolean
    /** False for what is below `/system` and every user may know, or do to themselves. What asks for a permission administers. */
    administers?: false
    /** A ticket of `downloadTickets`, as `ticket` in the query, takes the place of the Authorization header: links cannot send one. */
    downloadTicket?: true
    /** Whether API tokens may call the route; absent means those that ask for a permission. */
    tokens?: boolean
    /** The ticket of a sign-in, as `ticket` in the body, takes the place of a session; the handler checks it, and has no caller then. */
    ticket?: 'setup'
  }
  interface FastifyRequest {
    /** The session and user of the caller; always undefined on open routes. */
    caller: SessionOwner | undefined
    /** What the ticket of a download was issued for, as JSON; undefined without one. */
    downloadAsked: string | undefined
  }
}

/** Sets the `caller` of a request, or throws if the request is refused. */
export type Admit = (request: FastifyRequest) => Promise<void>

interface AdmissionRules {
  beforePasswordChange: boolean
  downloadTicket?: boolean
  tokens?: boolean | undefined
}

/**
 * Creates the access check of a route. Users who must change their password first are refused, unless
 * `beforePasswordChange` is set.
 */
export const createAdmission =
  (
    sessions: Pick<Sessions, 'authenticate' | 'apiTokens'>,
    tickets: Pick<DownloadTickets, 'take'>,
    attempts: Pick<Attempts, 'limitApiTokens'>,
  ) =>
  (
    access: Exclude<Access, 'open'>,
    { beforePasswordChange, downloadTicket = false, tokens = access !== 'session' }: AdmissionRules,
  ): Admit => {
    const isEnough = access === 'session' ? undefined : covers(access)
    const admit = (request: FastifyRequest, caller: SessionOwner): void => {
      request.caller = caller
      if (caller.user.forcePasswordChange && !beforePasswordChange) throw problem('password_change_required')
      if (isEnough && !caller.grants.permissions.some(isEnough)) throw problem('permission_denied')
    }
    const admitTicket = async (request: FastifyRequest, ticket: string): Promise<void> => {
      const { owner, asked } = await tickets.take(ticket)
      request.downloadAsked = asked
      admit(request, owner)
    }
    const admitToken = async (request: FastifyRequest, token: string): Promise<void> => {
      if (!tokens) throw problem('token_not_allowed')
      const check = () => sessions.apiTokens.authenticate(token, request.ip)
      admit(request, await attempts.limitApiTokens(request.ip, check))
    }
    return async (request) => {
      const { authorization } = request.headers
      const { ticket } = request.query as { ticket?: unknown }
      if (downloadTicket && authorization === undefined && typeof ticket === 'string' && ticket !== '')
        return admitTicket(request, ticket)
      const token = sessions.apiTokens.shownIn(authorization)
      if (token !== undefined) return admitToken(request, token)
      admit(request, await sessions.authenticate(authorization))
    }
  }

/** Refuses sessions without a second factor. Throws `step_up_required`, with the factors that the account has. */
export const createLevelCheck =
  ({ stepUp }: { stepUp: (user: { id: number }) => Promise<never> }) =>
  async ({ session, user, token }: SessionOwner): Promise<void> => {
    if (session.acr === 'aal2') return
    if (token) throw problem('token_not_allowed')
    await stepUp(user)
  }

export type Admission = ReturnType<typeof createAdmission>
