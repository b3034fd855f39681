import type { SignInName } from '../../db/sign-in-names.js'
import type { LoginRequest, UserClient } from '../../schemas/login.js'
import type { MaybePromise } from '../../schemas/maybe-promise.js'
import type { TriedCode } from '../attempts/attempt.js'
import { problem } from '../../lib/problem.js'
import type { Browser } from '../federation/authorization-requests.js'
import type { Requester } from '../passwords/hash-queue.js'
import type { AuthenticatedUser } from '../sessions/start.js'

/** Where a sign-in comes from and where it leads. */
export interface SignInContext {
  tenantId: number
  userClient: UserClient
  browser: Browser
  /** Decides the place in the queue of password hashes. */
  requester: Requester
  /** Key of the network address, and the device id if the user has signed in on it before. */
  source: { address: string; device?: string | undefined }
}

/**
 * A way to sign in. It verifies a credential and returns the user; `sessions.start` then issues the token for all methods.
 */
export interface LoginMethod {
  /** The `authType` of requests for this method. */
  name: string
  /** Required fields of the request. */
  needs: readonly (keyof LoginRequest)[] | ((request: LoginRequest) => readonly (keyof LoginRequest)[])
  /** Whether a captcha must be solved: always, when the configuration asks for one, or never. */
  captcha: 'required' | 'configured' | 'none'
  /** The name whose failures are counted, a text alone is a user name; undefined when the request contains no name. */
  subject: (request: LoginRequest, tenantId: number) => MaybePromise<SignInName | string | undefined>
  /** For methods of one-time codes, whose failures have counters of their own. */
  triedCode?: (request: LoginRequest, context: Omit<SignInContext, 'requester'>) => Promise<TriedCode>
  /** Throws `invalid_credentials`, `invalid_code` or `invalid_grant`. */
  verify: (
    request: LoginRequest,
    context: SignInContext & { triedCode?: TriedCode | undefined },
  ) => Promise<AuthenticatedUser>
}

/** The login methods by name. Any plugin may register another. */
export const createLoginRegistry = () => {
  const methods = new Map<string, LoginMethod>()
  return {
    register(method: LoginMethod): void {
      if (methods.has(method.name)) throw new Error(`The login method ${method.name} is registered twice`)
      methods.set(method.name, method)
    },
    authTypes: (): string[] => [...methods.keys()],
    /** Throws `unsupported_auth_type`. */
    resolve(name: string): LoginMethod {
      const method = methods.get(name)
      if (!method) throw problem('unsupported_auth_type')
      return method
    },
  }
}

export type LoginRegistry = ReturnType<typeof createLoginRegistry>
