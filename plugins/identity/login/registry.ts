import type { Identity } from '../../../db/repositories/identities.js'
import type { Passkey } from '../../../db/repositories/passkeys.js'
import type { User } from '../../../db/repositories/users.js'
import type { SignInName } from '../../../db/sign-in-names.js'
import type { FirstAnswerName } from '../../../schemas/first-answers.js'
import type { LoginRequest, UserClient } from '../../../schemas/login.js'
import { problem } from '../../../lib/problem.js'
import type { Browser } from '../federation/authorization-requests.js'
import type { FoundCode } from '../codes/codes.js'
import type { ClientContext } from '../devices/client.js'
import type { Requester } from '../passwords/hash-queue.js'
import type { AuthenticatedUser } from '../../sessions/sessions/start.js'

/** Where a sign-in comes from and where it leads. */
export interface SignInContext {
  tenantId: number
  userClient: UserClient
  browser: Browser
  client: ClientContext
  /** Decides the place in the queue of password hashes. */
  requester: Requester
  /** Key of the network address, and the device id if the user has signed in on it before. */
  source: { address: string; device?: string | undefined }
}

/** What was typed to name an account, looked up once. */
export interface LookedUp {
  /** Whose failures are counted. */
  subject: SignInName | Promise<SignInName>
  account: Promise<User | undefined>
}

type Field = keyof LoginRequest

/** What a method has found before it verifies: by `findCode` and `lookUp`. */
export interface Found {
  code?: FoundCode | undefined
  account?: LookedUp['account'] | undefined
}

/**
 * A way to sign in, as a row: what the document says of it, what it asks for, and how it verifies a credential. It returns the
 * user; `entry/` does the rest for all methods.
 */
export interface LoginMethod {
  /** The `authType` of requests for this method. */
  name: string
  /** `second`: answers the ticket of a first step, and starts no sign-in by itself; `either`: does so with a ticket only. */
  step?: 'second' | 'either'
  /** What proves who the caller is, in a few words. */
  meaning: string
  /** Methods by RFC 8176; absent: none that it names. */
  amr?: readonly string[]
  /** What a request is. */
  summary: string
  /** Required fields of the request. Where they depend on the request, the document names them as optional: in `takes`. */
  needs: readonly Field[] | ((request: LoginRequest) => readonly Field[])
  /** Other fields that the method reads, beside those of the captcha; absent means any. */
  takes?: readonly Field[] | undefined
  /** An example of a request; absent means the required fields with their own examples. */
  example?: LoginRequest | undefined
  /** What the example answers on a new installation, unless it is a success. */
  firstAnswer?: FirstAnswerName
  /** Whether a captcha must be solved: always, when the configuration asks for one, or never. */
  captcha: 'required' | 'configured' | 'none'
  /** Whether it is of use to people who sign in at identity providers, so that a page shows these. */
  showsPlatforms?: boolean
  /** Whether it lets a user in who has only these identities and passkeys; absent: it never counts as a way in. */
  isWayIn?: ((user: User, identities: Identity[], passkeys: Passkey[]) => boolean) | undefined
  /** The tenant of a request that names none; absent, and undefined: the default tenant. */
  tenantOf?: (request: LoginRequest) => Promise<number | undefined>
  /** Cannot be guessed, so that failures of others at the address do not keep the owner out. */
  isNeverPaused?: boolean
  /** The name whose failures are counted, a text alone is a user name; undefined when the request contains no name. */
  subject?: (request: LoginRequest) => SignInName | string | undefined
  /** In place of `subject`, where an account tells which name is meant. */
  lookUp?: (request: LoginRequest, tenantId: number) => LookedUp
  /** For methods of one-time codes, whose failures have counters of their own. */
  findCode?: (request: LoginRequest, context: Omit<SignInContext, 'requester'>) => Promise<FoundCode>
  /**
   * Throws `invalid_credentials`, `invalid_code` or `invalid_grant`. Absent: what the method works with is not configured, and
   * it is in the document only.
   */
  verify?: ((request: LoginRequest, context: SignInContext & Found) => Promise<AuthenticatedUser>) | undefined
}

/** A method that this installation offers. */
export type OfferedMethod = LoginMethod & { verify: NonNullable<LoginMethod['verify']> }

const isOffered = (method: LoginMethod | undefined): method is OfferedMethod => method?.verify !== undefined

/** The login methods by name. Any plugin may register another. */
export const createLoginRegistry = () => {
  const methods = new Map<string, LoginMethod>()
  return {
    register(method: LoginMethod): void {
      if (methods.has(method.name)) throw new Error(`The login method ${method.name} is registered twice`)
      methods.set(method.name, method)
    },
    /** Also those that are not configured. */
    all: (): LoginMethod[] => [...methods.values()],
    find: (name: string): LoginMethod | undefined => methods.get(name),
    offered: (): OfferedMethod[] => [...methods.values()].filter(isOffered),
    /** Throws `unsupported_auth_type`. */
    resolve(name: string): OfferedMethod {
      const method = methods.get(name)
      if (!isOffered(method)) throw problem('unsupported_auth_type')
      return method
    },
  }
}

export type LoginRegistry = ReturnType<typeof createLoginRegistry>
