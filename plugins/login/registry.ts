import type { LoginRequest, UserClient } from '../../schemas/login.js'
import type { TriedCode } from '../attempts/attempt.js'
import { problem } from '../../lib/problem.js'
import type { Browser } from '../federation/authorization-requests.js'
import type { Requester } from '../passwords/hash-queue.js'
import type { AuthenticatedUser } from '../sessions/start.js'

/** Where a sign-in takes context. */
export interface SignInContext {
  tenantId: number
  userClient: UserClient
  browser: Browser
  /** For whom a password is hashed. */
  requester: Requester
  /** The subscriber behind the network address and, when the named person has signed in on it before, the device. */
  source: { address: string; device?: string | undefined }
}

/** A way to sign in. It proves who the caller is and returns the user; what follows is the same for all. */
export interface LoginMethod {
  /** The `authType` that chooses it. */
  name: string
  /** Fields of the request that must be there. */
  needs: readonly (keyof LoginRequest)[] | ((request: LoginRequest) => readonly (keyof LoginRequest)[])
  /** Whether a captcha must be solved: always, when the configuration asks for one, or never. */
  captcha: 'required' | 'configured' | 'none'
  /** The name under which failures are counted; undefined when the request names nobody. */
  subject: (request: LoginRequest) => string | undefined
  /** The one-time code that is tried, for methods that have them: its failures are counted in a way of their own. */
  triedCode?: (request: LoginRequest, context: Omit<SignInContext, 'requester'>) => Promise<TriedCode>
  /** Throws `invalid_credentials`, `invalid_code` or `invalid_grant`. */
  verify: (
    request: LoginRequest,
    context: SignInContext & { triedCode?: TriedCode | undefined },
  ) => Promise<AuthenticatedUser>
}

/** The login methods by name. Open: any plugin may register another. */
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
