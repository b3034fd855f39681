import type { Tables } from '../tables.js'

/** The primary key of each table. A table comes after those that it refers to. */
const keys: { [Name in keyof Tables]: readonly (keyof Tables[Name] & string)[] } = {
  tenants: ['id'],
  users: ['id'],
  roles: ['id'],
  role_permissions: ['role_id', 'permission'],
  user_roles: ['user_id', 'role_id'],
  sessions: ['id'],
  signing_keys: ['kid'],
  identities: ['id'],
  disabled_login_methods: ['tenant_id', 'auth_type'],
  verified_contacts: ['user_id', 'contact'],
  totp_secrets: ['id'],
  passkeys: ['id'],
  recovery_codes: ['user_id', 'code_hash'],
  trusted_devices: ['id'],
  factor_states: ['user_id'],
  imports: ['id'],
  import_users: ['import_id', 'user_id'],
  login_log: ['id'],
  audit_trail: ['id'],
  store: ['key'],
}

export type TableName = keyof Tables

export interface CopiedTable {
  name: TableName
  key: readonly string[]
}

export const allTables: readonly CopiedTable[] = Object.entries(keys).map(([name, key]) => ({
  name: name as TableName,
  key,
}))

/** The tables that are copied; captchas, codes, lockouts and counters only on request. */
export const tablesToCopy = (hasStore: boolean): readonly CopiedTable[] =>
  allTables.filter(({ name }) => hasStore || name !== 'store')
