import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { isProblem } from '../../../lib/problem.js'

type Authenticate = (authorization: string | undefined) => Promise<SessionOwner>

/** The caller of an open route; undefined without a token and with a token that is not valid (any more). */
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
