import { connect } from '../databases/database.js'
import { userPassword, type CallOptions, type TestServer } from './server.js'

export interface UserToInsert {
  username: string
  realName?: string
  tenantId?: number
  userType?: number
  phone?: string
  email?: string
  forcePasswordChange?: boolean
  /** Epoch milliseconds; absent means the time of the clock. */
  createTime?: number
  /** Further columns of the table, as they are stored. */
  columns?: Record<string, string | number | null>
}

/** Adds many users who cannot sign in, without the cost of a password each. Returns their ids in order. */
export const insertUsers = async (server: TestServer, users: UserToInsert[]): Promise<number[]> => {
  const { db, contacts } = server.app
  const ids = await db.transaction(async (repositories) => {
    const added: number[] = []
    for (const user of users) {
      const { username, realName = username, email, tenantId = 1, userType = 2, forcePasswordChange = false } = user
      const phone = user.phone === undefined ? undefined : contacts.readPhone(user.phone)
      if (user.phone !== undefined && !phone) throw new Error(`${user.phone} is no phone number`)
      const row = { username, realName, email, tenantId, userType, forcePasswordChange, phone, passwordHash: null }
      added.push((await repositories.users.add(row, user.createTime ?? server.clock.now())).id)
    }
    return added
  })
  const connection = await connect(server.directory)
  await connection.transaction(async () => {
    for (const [index, { columns = {} }] of users.entries()) {
      const names = Object.keys(columns)
      if (names.length === 0) continue
      const changes = names.map((name) => `${name} = ?`).join(', ')
      await connection.run(`update users set ${changes} where id = ?`, ...Object.values(columns), ids[index] ?? 0)
    }
  })
  await connection.close()
  return ids
}

interface Caller {
  tenantId?: number
  userType?: number
  /** Granted through a role of its own; none means no role at all. */
  permissions?: string[]
  forcePasswordChange?: boolean
}

/** Adds a user of that kind, signs in, and returns the access token. */
export const signInAs = async (server: TestServer, username: string, caller: Caller = {}): Promise<string> => {
  const { tenantId = 1, permissions, ...more } = caller
  const { operator } = server
  if (permissions) await operator.addRole(`role-of-${username}`, username, permissions, tenantId)
  await server.addUser(username, { tenantId, roles: permissions ? [`role-of-${username}`] : [], ...more })
  return (await server.signIn(username, userPassword, { tenantId })).accessToken
}

/** Asks for a page of the user list. */
export const askPage = (server: TestServer, token: string | undefined, query: CallOptions['query'] = '') =>
  server.call('GET', '/system/user/page', { query, ...(token === undefined ? {} : { token }) })

export const namesOf = (page: { records: { username: string }[] }) => page.records.map(({ username }) => username)
