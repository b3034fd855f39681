import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { MaybePromise } from '../../schemas/maybe-promise.js'
import { isProblem } from '../../lib/problem.js'

type Authenticate = (authorization: string | undefined) => MaybePromise<SessionOwner>

/** Who calls, for routes that are open: undefined without a token, and with one that no longer signs anybody in. */
export const createFindCaller =
  (authenticate: Authenticate) =>
  async (authorization: string | undefined): Promise<SessionOwner | undefined> => {
    try {
      return await authenticate(authorization)
    } catch (error) {
      if (isProblem(error) && error.statusCode === 401) return undefined
      throw error
    }
  }
