import type { Engine } from '../engine.js'
import { defaultLimits, type Limits } from './limits.js'
import { createPlainUserList, type Asker, type Found, type UserList } from './plain-user-list.js'
import { createSqliteUserList } from './user-list-sqlite.js'

export type { Limits } from './limits.js'
export type { ListedUser } from './listed-user.js'
export type { UserFilter, UserOrder } from './selection.js'
export type { Asker, Found, UserList }

/** The list of users. `file` is the SQLite file behind `engine`, if there is one; `now` is epoch milliseconds. */
export const createUserList = (
  engine: Pick<Engine, 'db' | 'shortLived' | 'version'>,
  file: string | undefined,
  now: () => number,
  limits: Partial<Limits> = {},
): UserList =>
  file === undefined
    ? createPlainUserList(engine.db)
    : createSqliteUserList(engine, file, { ...defaultLimits, ...limits }, now)
