import type { ColumnType, Generated } from 'kysely'

/** 0 or 1 instead of a boolean, so that all engines share the queries. */
export type Flag = 0 | 1
type Id = Generated<number>
/** Epoch milliseconds. */
type Time = number

export interface TenantTable {
  id: Id
  tenant_name: string
  /** Folded (fold.ts), for uniqueness. */
  tenant_name_key: string
  enabled: Flag
  create_time: Time
  update_time: Time
}

export interface UserTable {
  id: Id
  tenant_id: number
  username: string
  /** Folded (fold.ts): sign-in, uniqueness and filters compare it. */
  username_key: string
  real_name: string
  real_name_key: string
  user_type: number
  gender: number
  /** As entered. */
  phone: string | null
  /** E.164: sign-in, uniqueness and filters compare it. */
  phone_key: string | null
  email: string | null
  email_key: string | null
  avatar: string | null
  user_status: number
  /** PHC string; null: no sign-in with a password. */
  password_hash: string | null
  force_password_change: Flag
  /** When the password was set; null when unknown. */
  password_time: ColumnType<Time | null, Time | null | undefined, Time | null>
  remark: string | null
  last_login_time: Time | null
  last_login_ip: string | null
  login_count: ColumnType<number, number | undefined, number>
  create_time: Time
  update_time: Time
}

export interface RoleTable {
  id: Id
  tenant_id: number
  role_key: string
  role_name: string
  create_time: Time
}

export interface RolePermissionTable {
  role_id: number
  permission: string
}

export interface UserRoleTable {
  user_id: number
  role_id: number
}

export interface SessionTable {
  id: string
  user_id: number
  tenant_id: number
  user_client: string
  generation: number
  /** When the current generation was issued. */
  generation_time: Time
  /** When the current generation was first used; null before. */
  generation_used_time: Time | null
  /** The same for the previous generation. */
  previous_used_time: Time | null
  /** The current access token, encrypted: a repeated refresh returns the same token when the first answer was lost. */
  sealed_token: string | null
  /** The device whose cookie a refresh needs; null when no device cookie was sent. */
  device_id: string | null
  /** The linked identity that signed in; null: none, 0: unknown. */
  identity_id: number | null
  login_ip: string
  user_agent: string
  create_time: Time
  last_active_time: Time
  idle_expiry: Time
  expiry: Time
  end_time: Time | null
  end_reason: string | null
}

export interface SigningKeyTable {
  kid: string
  public_jwk: string
  /** Private JWK, encrypted with the master secret. */
  sealed_private_jwk: string
  create_time: Time
  /** From when on it signs; it is published before. */
  active_time: Time
}

export interface IdentityTable {
  id: Id
  user_id: number
  tenant_id: number
  platform: string
  issuer: string
  subject: string
  display_name: string | null
  create_time: Time
}

export interface LoginLogTable {
  id: Id
  time: Time
  tenant_id: number
  subject: string
  user_id: number | null
  auth_type: string
  user_client: string
  address: string
  user_agent: string
  /** Null when the sign-in succeeded. */
  reason: string | null
  /** Number of equal refusals that this row counts. */
  tries: ColumnType<number, number | undefined, number>
  /** Time of the first of them; null in rows that are older than this column. */
  first_time: Time | null
  /** Key of equal refusals within one hour; null when the sign-in succeeded. */
  refusal_key: string | null
}

export interface AuditTrailTable {
  id: Id
  time: Time
  /** Of the target; null when it belongs to no tenant. */
  tenant_id: number | null
  /** Null for a command. */
  actor_id: number | null
  actor_name: string
  source: 'api' | 'command line'
  address: string
  user_agent: string
  action: string
  target_type: string
  target_id: string
  target_name: string
  /** JSON objects of the changed fields; null when there are none. */
  before_values: string | null
  after_values: string | null
}

/** A row for each login method that a tenant has disabled. */
export interface DisabledLoginMethodTable {
  tenant_id: number
  auth_type: string
}

export interface VerifiedContactTable {
  user_id: number
  /** E.164, or a folded e-mail address. */
  contact: string
  time: Time
}

/** A user who may not sign in before `expiry`. */
export interface UserBanTable {
  user_id: number
  expiry: Time
  reason: string | null
}

export interface StoreTable {
  key: string
  value: string
  expiry: Time
}

export interface ImportTable {
  id: Id
  state: 'writing' | 'kept' | 'given up'
  /** Time of the last progress. */
  renew_time: Time
}

export interface ImportUserTable {
  import_id: number
  user_id: number
}

export interface Tables {
  tenants: TenantTable
  users: UserTable
  roles: RoleTable
  role_permissions: RolePermissionTable
  user_roles: UserRoleTable
  sessions: SessionTable
  signing_keys: SigningKeyTable
  store: StoreTable
  login_log: LoginLogTable
  audit_trail: AuditTrailTable
  identities: IdentityTable
  disabled_login_methods: DisabledLoginMethodTable
  verified_contacts: VerifiedContactTable
  user_bans: UserBanTable
  imports: ImportTable
  import_users: ImportUserTable
}
