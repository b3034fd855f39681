import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import { createApiTokenRepository } from './api-tokens.js'
import { createAuditTrailRepository } from './audit-trail.js'
import { createDisabledMethodRepository } from './disabled-methods.js'
import { createEncryptedTextRepository } from './encrypted-texts.js'
import { createFactorStateRepository } from './factor-states.js'
import { createIdentityRepository } from './identities.js'
import { createImportRepository } from './imports.js'
import { createLoginLogRepository } from './login-log.js'
import { createPasskeyRepository } from './passkeys.js'
import { createRecoveryCodeRepository } from './recovery-codes.js'
import { createRoleRepository } from './roles.js'
import type { FindOwners } from './session-owner.js'
import { createSessionRepository } from './sessions.js'
import { createSigningKeyRepository } from './signing-keys.js'
import { createTenantRepository } from './tenants.js'
import { createTotpSecretRepository } from './totp-secrets.js'
import { createTrustedDeviceRepository } from './trusted-devices.js'
import { createUsedOnceRepository } from './used-once.js'
import { createUserBanRepository } from './user-bans.js'
import { createUserRepository } from './users.js'
import { createVerifiedContactRepository } from './verified-contacts.js'

const factories = {
  tenants: createTenantRepository,
  users: createUserRepository,
  roles: createRoleRepository,
  sessions: createSessionRepository,
  apiTokens: createApiTokenRepository,
  signingKeys: createSigningKeyRepository,
  encryptedTexts: createEncryptedTextRepository,
  loginLog: createLoginLogRepository,
  auditTrail: createAuditTrailRepository,
  identities: createIdentityRepository,
  disabledMethods: createDisabledMethodRepository,
  userBans: createUserBanRepository,
  verifiedContacts: createVerifiedContactRepository,
  imports: createImportRepository,
  totpSecrets: createTotpSecretRepository,
  passkeys: createPasskeyRepository,
  recoveryCodes: createRecoveryCodeRepository,
  trustedDevices: createTrustedDeviceRepository,
  factorStates: createFactorStateRepository,
  usedOnce: createUsedOnceRepository,
}

type Factories = typeof factories

/** The repositories of guests: each declares its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each guest adds to it
export interface GuestRepositories {}

export type Repositories = { readonly [Name in keyof Factories]: ReturnType<Factories[Name]> } & GuestRepositories

export type CreateRepository = (db: Kysely<Tables>) => object

const all: Record<string, CreateRepository> = {}

/** A transaction uses a few repositories: each is made when it is first used. */
class OfTransaction {
  constructor(readonly handle: Kysely<Tables>) {}
}

/** Adds the repositories of a guest. */
export const addRepositories = (added: Record<string, CreateRepository>): void => {
  for (const [name, create] of Object.entries(added)) {
    all[name] = create
    Object.defineProperty(OfTransaction.prototype, name, {
      get(this: OfTransaction) {
        const value = create(this.handle)
        Object.defineProperty(this, name, { value, writable: true })
        return value
      },
    })
  }
}
addRepositories(factories)

/** The repositories of a transaction. */
export const repositoriesOf = (transaction: Kysely<Tables>): Repositories =>
  new OfTransaction(transaction) as unknown as Repositories

/** Those of a database, for single reads and writes. */
export const makeRepositories = (db: Kysely<Tables>, { session, token }: FindOwners): Repositories => ({
  ...(Object.fromEntries(Object.entries(all).map(([name, create]) => [name, create(db)])) as unknown as Repositories),
  sessions: createSessionRepository(db, session),
  apiTokens: createApiTokenRepository(db, token),
})
