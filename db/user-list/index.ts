import type { Engine } from '../engine.js'
import { defaultLimits, type Limits } from './limits.js'
import { createPlainUserList, type Asker, type UserList } from './plain-user-list.js'
import type { Renderer } from './renderer.js'
import { createSqliteUserList } from './user-list-sqlite.js'

export type { Limits } from './limits.js'
export type { ListedUser } from './listed-user.js'
export type { UserFilter, UserOrder } from './selection.js'
export type { Renderer } from './renderer.js'
export type { Asker, UserList }

/** The list of users, each as the text that `renderer` makes of it. `file` is the SQLite file behind `engine`, if there is one; `now` is epoch milliseconds. */
export const createUserList = (
  engine: Pick<Engine, 'db' | 'version'>,
  file: string | undefined,
  renderer: Renderer,
  now: () => number,
  limits: Partial<Limits> = {},
): UserList =>
  file === undefined
    ? createPlainUserList(engine.db, renderer)
    : createSqliteUserList(engine, file, renderer, { ...defaultLimits, ...limits }, now)
