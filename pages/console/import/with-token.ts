import { client } from '../../shared/session/client.js'
import { asPerson, request } from '../../shared/session/entered.js'

/** Does what the client of the service does not know, such as sending a file, with an access token. */
export const withToken = <T>(work: (token: string | undefined) => Promise<T>): Promise<T> =>
  asPerson(async () => {
    // Exchanges a token that has expired: a large file is not sent twice for that.
    await request('GET /auth/userInfo')
    return work(await client.token())
  })
