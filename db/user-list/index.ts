import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import { defaultLimits, type Limits } from './limits.js'
import { createPlainUserList, type Render, type UserList } from './plain-user-list.js'
import { createSqliteUserList } from './user-list-sqlite.js'

export type { Limits } from './limits.js'
export type { ListedUser } from './listed-user.js'
export type { UserFilter, UserOrder } from './selection.js'
export type { UserList }

/** The list of users, each as the text that `render` makes of it. `file` is the SQLite file behind `db`, if there is one. */
export const createUserList = (
  db: Kysely<Tables>,
  file: string | undefined,
  render: Render,
  limits: Partial<Limits> = {},
): UserList =>
  file === undefined
    ? createPlainUserList(db, render)
    : createSqliteUserList(db, file, render, { ...defaultLimits, ...limits })
