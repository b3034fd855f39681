import type { UserRepository } from '../../../db/repositories/users.js'
import { problem } from '../../../lib/problem.js'
import type { LoginRequest, UserClient } from '../../../schemas/login.js'
import type { LoginMethod } from './registry.js'

/** A way to sign in that the app around the service adds. */
export interface HostLoginMethod {
  /** The `authType` of requests for this method: small letters, digits and underscores. */
  name: string
  /** Required fields of the request. */
  needs: readonly (keyof LoginRequest)[]
  /** Other fields that `identify` reads, for the OpenAPI document; absent means any. */
  takes?: readonly (keyof LoginRequest)[]
  /** What proves who the caller is, in a few words, for the OpenAPI document: `number of a badge`. */
  summary?: string
  /** An example of a request, for the OpenAPI document; absent means the required fields with their usual examples. */
  example?: LoginRequest
  /** Absent means that no captcha is asked for; `configured`: under the conditions of the setting `captcha.mode`. */
  captcha?: 'required' | 'configured' | 'none'
  /**
   * The name whose failures are counted, and which the login log shows, so not a secret; absent means the field `username`.
   * Without a name only the address is counted.
   */
  subject?: (request: LoginRequest) => string | undefined
  /**
   * Checks the credential and resolves to the name of the user, who must exist in the tenant. Undefined means that the
   * credential is wrong: 400 `invalid_credentials`, as for a name that does not exist.
   */
  identify: (
    request: LoginRequest,
    context: { tenantId: number; userClient: UserClient },
  ) => Promise<string | undefined>
  /**
   * Whether a user can sign in by this method, so that its last linked identity, phone number or password may go. Absent means
   * that the method does not count. Called inside a transaction: it answers from memory.
   */
  isWayIn?: (user: { userId: number; username: string; tenantId: number }) => boolean
}

/** Rows of the login registry for the methods of the host. Throws when a name is not usable; `builtIn` are those taken. */
export const createHostMethods = (
  methods: readonly HostLoginMethod[],
  users: Pick<UserRepository, 'findByUsername'>,
  builtIn: readonly string[],
): LoginMethod[] =>
  methods.map((method) => {
    const { name, needs, takes, summary, example, captcha = 'none', identify, isWayIn } = method
    // Also those that the configuration does not offer now: otherwise a setting could change what a name means.
    if (builtIn.includes(name)) throw new Error(`The login method ${name} is one of Rollcall itself`)
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) throw new Error(`The name of the login method ${name} is not usable`)
    return {
      name,
      meaning: summary ?? 'added by a plugin',
      summary: `Sign-in by ${summary ?? 'a method of a plugin'}`,
      needs,
      takes,
      example: example && { ...example, authType: name },
      captcha,
      isWayIn: isWayIn && (({ id: userId, username, tenantId }) => isWayIn({ userId, username, tenantId })),
      subject: method.subject ?? (({ username }) => username),
      async verify(request, { tenantId, userClient }) {
        const username = await identify(request, { tenantId, userClient })
        const user = username === undefined ? undefined : await users.findByUsername(tenantId, username)
        if (!user) throw problem('invalid_credentials')
        return user
      },
    }
  })
