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
  /** Whether its users need a second factor. */
  second_factor_required: ColumnType<Flag, Flag | undefined, Flag>
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
  /** Whether there is an authenticator app or a passkey: written with each change of them. */
  has_second_factor: ColumnType<Flag, Flag | undefined, Flag>
  /** Until then the user may not sign in; null or past: there is no ban. */
  banned_until: ColumnType<Time | null, Time | null | undefined, Time | null>
  ban_reason: ColumnType<string | null, string | null | undefined, string | null>
  /** When the user was last invited; null once the user has a password or has signed in. */
  invited_time: ColumnType<Time | null, Time | null | undefined, Time | null>
  /** Of the last sign-in; null when unknown. */
  language: ColumnType<string | null, string | null | undefined, string | null>
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
  /** Whether users with this role need a second factor. */
  second_factor_required: ColumnType<Flag, Flag | undefined, Flag>
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
  /** Authentication context class: `aal1` or `aal2`. */
  acr: string
  /** Authentication methods (RFC 8176), separated by spaces. */
  amr: string
  /** When somebody proved to be the user, by any method. */
  auth_time: Time
  /** When a second factor was proved; null: never. */
  factor_time: Time | null
  /** SHA-256 of the secret in the page cookie; null: there is no such cookie. */
  page_secret_hash: ColumnType<string | null, string | null | undefined, string | null>
}

export interface ApiTokenTable {
  id: string
  user_id: number
  tenant_id: number
  /** SHA-256 of the whole token. */
  token_hash: string
  /** Its first characters, by which people tell tokens apart. */
  start: string
  name: string
  /** JSON array; null: all that the owner has. */
  permissions: string | null
  /** JSON array of addresses and ranges of addresses; null: all. */
  addresses: string | null
  /** Of the session in which it was made. */
  acr: string
  /** Id of the user who made it; null: a command. */
  created_by: number | null
  create_time: Time
  /** Null: none. */
  expiry: Time | null
  last_used_time: Time | null
  last_used_ip: string | null
  end_time: Time | null
  /** Until when it is kept after its end; null while it has no end. */
  kept_until: Time | null
}

export interface SigningKeyTable {
  kid: string
  /** `ES256` or `RS256` (RFC 7518 3.1). */
  algorithm: ColumnType<string, string | undefined, string>
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

/** Authenticator apps (RFC 6238). */
export interface TotpSecretTable {
  id: string
  user_id: number
  name: string
  /** Encrypted with the master secret. */
  encrypted_secret: string
  /** The latest time step whose code was used. */
  last_step: number
  create_time: Time
  last_used_time: Time | null
}

/** WebAuthn credentials. */
export interface PasskeyTable {
  id: string
  user_id: number
  name: string
  /** base64url. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  sign_count: number
  backup_eligible: Flag
  backed_up: Flag
  /** Whether the user was verified when it was registered: otherwise it is a second factor only. */
  user_verified: Flag
  /** Whether it can be found without a name; null: the authenticator did not say. */
  discoverable: Flag | null
  /** Separated by spaces. */
  transports: string
  aaguid: string
  rp_id: string
  create_time: Time
  last_used_time: Time | null
}

export interface RecoveryCodeTable {
  user_id: number
  /** SHA-256 of user id and code. */
  code_hash: string
  used_time: Time | null
}

/** Browsers on which the second step is skipped. */
export interface TrustedDeviceTable {
  id: string
  user_id: number
  /** The id in the device cookie. */
  device_id: string
  user_agent: string
  address: string
  create_time: Time
  last_used_time: Time | null
  expiry: Time
}

export interface FactorStateTable {
  user_id: number
  /** 32 random bytes, base64url: the user in WebAuthn. */
  user_handle: string | null
  /** Until when the user may sign in without a required factor; null: no such sign-in yet. */
  setup_deadline: Time | null
  /** Whether no policy asks this account for a factor. */
  exempt: Flag
}

export interface HouseTables {
  tenants: TenantTable
  users: UserTable
  roles: RoleTable
  role_permissions: RolePermissionTable
  user_roles: UserRoleTable
  sessions: SessionTable
  api_tokens: ApiTokenTable
  signing_keys: SigningKeyTable
  store: StoreTable
  login_log: LoginLogTable
  audit_trail: AuditTrailTable
  identities: IdentityTable
  disabled_login_methods: DisabledLoginMethodTable
  verified_contacts: VerifiedContactTable
  imports: ImportTable
  import_users: ImportUserTable
  totp_secrets: TotpSecretTable
  passkeys: PasskeyTable
  recovery_codes: RecoveryCodeTable
  trusted_devices: TrustedDeviceTable
  factor_states: FactorStateTable
}

/** The tables of guests: each declares its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each guest adds to it
export interface OtherTables {}

export interface Tables extends HouseTables, OtherTables {}
