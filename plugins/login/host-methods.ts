import type { UserRepository } from '../../db/repositories/users.js'
import { problem } from '../../lib/problem.js'
import { builtInAuthTypes, type LoginRequest, type UserClient } from '../../schemas/login.js'
import type { LoginMethod } from './registry.js'

/** A way to sign in that the app around the service adds. */
export interface HostLoginMethod {
  /** The `authType` of requests for this method: small letters, digits and underscores. */
  name: string
  /** Required fields of the request. */
  needs: readonly (keyof LoginRequest)[]
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
}

/** Rows of the login registry for the methods of the host. Throws when a name is not usable. */
export const createHostMethods = (
  methods: readonly HostLoginMethod[],
  users: Pick<UserRepository, 'findByUsername'>,
): LoginMethod[] =>
  methods.map(({ name, needs, captcha = 'none', subject = (request) => request.username, identify }) => {
    // Also those that the configuration does not offer now: otherwise a setting could change what a name means.
    if (builtInAuthTypes.some((builtIn) => builtIn === name)) {
      throw new Error(`The login method ${name} is one of Rollcall itself`)
    }
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) throw new Error(`The name of the login method ${name} is not usable`)
    return {
      name,
      needs,
      captcha,
      subject,
      async verify(request, { tenantId, userClient }) {
        const username = await identify(request, { tenantId, userClient })
        const user = username === undefined ? undefined : await users.findByUsername(tenantId, username)
        if (!user) throw problem('invalid_credentials')
        return user
      },
    }
  })
