import type { Database, Repositories } from '../../../db/index.js'
import type { Identity } from '../../../db/repositories/identities.js'
import type { Passkey } from '../../../db/repositories/passkeys.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { User } from '../../../db/repositories/users.js'
import type { Actor } from '../../../lib/actor.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { areSame } from '../../../lib/same-items.js'
import type { Audit } from '../../record/audit/audit.js'
import type { LoginRequest } from '../../../schemas/login.js'
import type { LoginRegistry, OfferedMethod } from './registry.js'

/** Whether a tenant allows a registered method. */
export interface TenantMethod {
  authType: string
  enabled: boolean
}

export interface MethodsChange {
  disable: string[]
  enable: string[]
}

export type MethodsSource = Pick<Repositories, 'disabledMethods'>

/**
 * The login methods of each tenant: the registered ones without those that the tenant has disabled. Each call reads the
 * database, so that a change by another process applies at once.
 */
export const createTenantMethods = (registry: LoginRegistry, db: Database, audit: Pick<Audit, 'record'>) => {
  const list = async (tenantId: number): Promise<TenantMethod[]> => {
    const disabled = await db.disabledMethods.of(tenantId)
    return registry.offered().map(({ name }) => ({ authType: name, enabled: !disabled.includes(name) }))
  }

  /** Inside a transaction, `source` is its repositories. */
  const offered = async (tenantId: number, { disabledMethods }: MethodsSource = db): Promise<OfferedMethod[]> => {
    const disabled = await disabledMethods.of(tenantId)
    return registry.offered().filter(({ name }) => !disabled.includes(name))
  }

  return {
    list,

    offered,

    /** The tenant of a request that names none; undefined means the default tenant. */
    tenantOf: (name: string, request: LoginRequest): Promise<number | undefined> | undefined =>
      registry.find(name)?.tenantOf?.(request),

    /** Whether users of the tenant can sign in by one of its methods, with these identities and passkeys. */
    signInCheckFor: async (tenantId: number, source?: MethodsSource) => {
      const methods = await offered(tenantId, source)
      return (user: User, identities: Identity[], passkeys: Passkey[]): boolean =>
        methods.some(({ isWayIn }) => isWayIn?.(user, identities, passkeys) ?? false)
    },

    /** Throws `unsupported_auth_type` for a method that is not registered. */
    resolve: (name: string): OfferedMethod => registry.resolve(name),

    /** Throws `unsupported_auth_type` for a method that the tenant has disabled. */
    async requireEnabled(name: string, tenantId: number): Promise<void> {
      if ((await db.disabledMethods.of(tenantId)).includes(name)) throw problem('unsupported_auth_type')
    },

    /**
     * What changes nothing is not recorded. Throws `invalid_request` for a method that is not registered, and when no method
     * would stay enabled. `transact` runs the change in a transaction; that of `management` also checks that an administrator
     * can still sign in.
     */
    async change(
      actor: Actor<SessionOwner>,
      tenantId: number,
      change: MethodsChange,
      transact: Database['transaction'] = (work) => db.transaction(work),
    ): Promise<TenantMethod[]> {
      const registered = registry.offered().map(({ name }) => name)
      const check = (field: string, names: string[], allowedValues: string[]) => {
        if (!names.every((name) => allowedValues.includes(name))) throw invalidField(field, 'enum', { allowedValues })
      }
      await transact(async (inside) => {
        const { disabledMethods } = inside
        const disabled = await disabledMethods.of(tenantId)
        check('disable', change.disable, registered)
        // A method that was disabled and is no longer registered may be enabled too.
        check('enable', change.enable, [...new Set([...registered, ...disabled])])
        await disabledMethods.add(tenantId, change.disable)
        await disabledMethods.remove(tenantId, change.enable)
        const left = await disabledMethods.of(tenantId)
        if (registered.every((name) => left.includes(name))) throw invalidField('disable', 'last_method')
        if (areSame(disabled, left)) return
        const tenant = await inside.tenants.find(tenantId)
        const target = { type: 'tenant' as const, id: tenantId, name: tenant?.name ?? '', tenantId }
        const values = { before: { disabledMethods: disabled.sort() }, after: { disabledMethods: left.sort() } }
        await audit.record(inside, actor, { action: 'tenant.methods', target, ...values })
      })
      return list(tenantId)
    },
  }
}

export type TenantMethods = ReturnType<typeof createTenantMethods>
export type SignInCheckFor = TenantMethods['signInCheckFor']
