import fp from 'fastify-plugin'
import type { Repositories } from '../../../db/index.js'
import { createCodeMethods } from './code-methods.js'
import { createPasskeyMethod, factorMethods } from './factor-methods.js'
import { createFederatedMethods } from './federated-methods.js'
import { createHostMethods, type HostLoginMethod } from './host-methods.js'
import { createLoginConfig } from './login-config.js'
import { createPasskeyOptions } from './passkey-options.js'
import { createPasswordMethods } from './password-methods.js'
import { createLoginRegistry, type LoginRegistry } from './registry.js'
import { createTenantMethods, type TenantMethods } from './tenant-methods.js'

declare module 'fastify' {
  interface FastifyInstance {
    login: LoginRegistry & {
      config: ReturnType<typeof createLoginConfig>
      ofTenant: TenantMethods
      passkeyOptions: ReturnType<typeof createPasskeyOptions>
    }
  }
}

export interface LoginOptions {
  /** Further ways to sign in, beside those of the service. */
  loginMethods?: readonly HostLoginMethod[]
}

/** What a sign-in changes in an account. */
interface AccountWrites {
  /** Replaces a hash by a stronger one of the same password. False if the password has changed since. */
  strengthenHash: (
    inside: Pick<Repositories, 'users'>,
    id: number,
    hash: { old: string; stronger: string },
  ) => Promise<boolean>
}

export default fp<LoginOptions & { writes: AccountWrites }>(
  async (app, { loginMethods = [], writes }) => {
    const { db, federation, oneTimeCodes, secondFactor } = app
    const registry = createLoginRegistry()
    const passwordMethods = createPasswordMethods(app, (id, hash) => writes.strengthenHash(db, id, hash))
    for (const method of passwordMethods) registry.register(method)
    for (const method of createCodeMethods(oneTimeCodes.channels, oneTimeCodes)) registry.register(method)
    for (const method of createFederatedMethods(federation)) registry.register(method)
    registry.register(createPasskeyMethod(secondFactor, secondFactor.passkeyAmr))
    for (const method of factorMethods) registry.register(method)
    const builtIn = registry.all().map(({ name }) => name)
    for (const method of createHostMethods(loginMethods, db.users, builtIn)) registry.register(method)
    const ofTenant = createTenantMethods(registry, db, app.audit)
    app.decorate('login', {
      ...registry,
      ofTenant,
      passkeyOptions: createPasskeyOptions(app),
      config: createLoginConfig(app, ofTenant),
    })
  },
  { name: 'identity/login' },
)
