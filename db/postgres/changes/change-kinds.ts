import { columnKinds, type ColumnKind } from '../../user-list/listing.js'

/**
 * What has changed: columns of a user of one kind, or the `account`, which is everything else of a user; only what no list shows,
 * such as the `password`; the `roles` of a user; a `session` of a user; the `names` of tenants and roles; the `permissions` of a
 * role; or what session checks read of a `tenant` beside its name. The last three are written for all users.
 */
export type ChangeKind = ColumnKind | 'account' | 'password' | 'roles' | 'session' | 'names' | 'permissions' | 'tenant'

/** All that a page of the user list shows. */
export const listedKinds: ChangeKind[] = [...columnKinds.map(([kind]) => kind), 'account', 'roles', 'names']

/** The user id that stands for all users. */
export const everybody = 0
