import type { KeptTable, TableName } from '../keeps.js'
import type { HouseTables } from '../tables.js'
import { keeps as apiTokens } from './api-tokens.js'
import { keeps as auditTrail } from './audit-trail.js'
import { keeps as disabledMethods } from './disabled-methods.js'
import { keeps as factorStates } from './factor-states.js'
import { keeps as identities } from './identities.js'
import { keeps as imports } from './imports.js'
import { keeps as loginLog } from './login-log.js'
import { keeps as passkeys } from './passkeys.js'
import { keeps as recoveryCodes } from './recovery-codes.js'
import { keeps as roles } from './roles.js'
import { keeps as sessions } from './sessions.js'
import { keeps as signingKeys } from './signing-keys.js'
import { keeps as store } from './store.js'
import { keeps as tenants } from './tenants.js'
import { keeps as totpSecrets } from './totp-secrets.js'
import { keeps as trustedDevices } from './trusted-devices.js'
import { keeps as userRoles } from './user-roles.js'
import { keeps as users } from './users.js'
import { keeps as verifiedContacts } from './verified-contacts.js'

/** Every table of the house; one that is left out does not compile. A table comes after those that its rows refer to, because copies are written in this order. */
const kept = {
  ...tenants,
  ...users,
  ...roles,
  ...userRoles,
  ...sessions,
  ...apiTokens,
  ...signingKeys,
  ...identities,
  ...disabledMethods,
  ...verifiedContacts,
  ...totpSecrets,
  ...passkeys,
  ...recoveryCodes,
  ...trustedDevices,
  ...factorStates,
  ...imports,
  ...loginLog,
  ...auditTrail,
  ...store,
} satisfies { [Table in keyof HouseTables]: KeptTable<Table> }

export interface Kept extends Omit<KeptTable, 'key' | 'ofUser' | 'expires' | 'encrypted'> {
  name: TableName
  key: readonly string[]
  ofUser?: string
  expires?: { column: string; keptFor?: 'loginLog' | 'audit' }
  encrypted?: { column: string; purposeOf: (key: string) => string; keysFrom?: readonly string[] }
}

/** What a guest says about one of its tables. */
export type KeptOfGuest = Omit<Kept, 'name'>

const namedTables = (tables: Record<string, KeptOfGuest>): Kept[] =>
  Object.entries(tables).map(([name, table]) => ({ name: name as TableName, ...table }))

const known = namedTables(kept)

export const keptTables: readonly Kept[] = known

/** Adds the tables of a guest. */
export const addKept = (tables: Record<string, KeptOfGuest>): void => {
  known.push(...namedTables(tables))
}
