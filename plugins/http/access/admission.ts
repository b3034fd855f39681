import type { FastifyRequest } from 'fastify'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { andThen, type MaybePromise } from '../../../schemas/maybe-promise.js'
import { problem } from '../../../lib/problem.js'
import type { Sessions } from '../../sessions/sessions.js'
import { covers, isPermission, type Permission } from '../../../lib/permissions.js'

/** Who may call a route: everybody, whoever has a session, or whoever has the permission. */
export type Access = 'open' | 'session' | Permission

export const isAccess = (value: unknown): value is Access =>
  value === 'open' || value === 'session' || isPermission(value)

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** Who calls; undefined on open routes, whatever token was sent. */
    caller: SessionOwner | undefined
  }
}

/** Lets a request pass and sets its `caller`, or throws the refusal. */
export type Admit = (request: FastifyRequest) => MaybePromise<void>

/**
 * Makes what admits callers to a route. Whoever must change the password first is admitted only with
 * `beforePasswordChange`.
 */
export const createAdmission =
  (sessions: Pick<Sessions, 'authenticate' | 'permissions'>) =>
  (access: Exclude<Access, 'open'>, { beforePasswordChange }: { beforePasswordChange: boolean }): Admit => {
    const isEnough = access === 'session' ? undefined : covers(access)
    const admit = (request: FastifyRequest, caller: SessionOwner): void => {
      request.caller = caller
      if (caller.user.forcePasswordChange && !beforePasswordChange) throw problem('password_change_required')
      if (isEnough && !sessions.permissions(caller).some(isEnough)) throw problem('permission_denied')
    }
    return (request) =>
      andThen(sessions.authenticate(request.headers.authorization), (caller) => admit(request, caller))
  }

export type Admission = ReturnType<typeof createAdmission>
