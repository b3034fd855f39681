import type { FastifyInstance } from 'fastify'
import { operatorActor } from '../../../lib/actor.js'
import { defaultTenantId } from '../../../schemas/login.js'
import type { AccountToAdd } from '../../../plugins/people/write/account.js'

/** What an operator does at the command line, without a process of its own. Users and roles are named, not numbered. */
export const createOperator = ({ accounts, db, management }: FastifyInstance) => {
  const idOf = async (username: string, tenantId = defaultTenantId) => (await accounts.findUser(username, tenantId)).id
  const actor = operatorActor

  return {
    /** Adds a user and nothing to the audit trail. */
    async addUser(account: AccountToAdd) {
      const hashed = await accounts.accounts.hashPassword(await accounts.accounts.check(account))
      return db.transaction((inside) => accounts.accounts.write(inside, hashed))
    },

    setEnabled: async (username: string, enabled: boolean, tenantId?: number) =>
      management.act(actor(), await idOf(username, tenantId), enabled ? 'enable' : 'disable'),
    unlock: async (username: string, tenantId?: number) =>
      management.act(actor(), await idOf(username, tenantId), 'unlock'),
    setPassword: async (
      username: string,
      password: string,
      options: { forcePasswordChange: boolean; unlinkIdentities?: boolean },
    ) => management.setPassword(actor(), await idOf(username), password, options),

    ban: (userId: number) => management.bans.ban(actor(), userId, 600, 'x'),
    unban: (userId: number) => management.bans.unban(actor(), userId),
    remove: (userId: number) => management.act(actor(), userId, 'delete'),

    addTenant: (name: string) => management.tenants.add(actor(), { name }),
    setTenantEnabled: (id: number, enabled: boolean) => management.tenants.edit(actor(), id, { enabled }),

    addRole: (key: string, name: string, permissions: string[], tenantId?: number) =>
      management.roles.add(actor(), { key, name, permissions, tenantId }),
    grant: (key: string, permissions: string[], tenantId?: number) =>
      management.roles.edit(actor(), { key, tenantId }, (before) => ({
        permissions: [...new Set([...before, ...permissions])],
      })),
    setPermissions: (key: string, permissions: string[], tenantId?: number) =>
      management.roles.edit(actor(), { key, tenantId }, () => ({ permissions })),
    setRoles: (userId: number, keys: string[]) => management.setRoles(actor(), userId, () => keys),
    assign: async (key: string, username: string, tenantId?: number) =>
      management.setRoles(actor(), await idOf(username, tenantId), (before) => [...before, key]),
  }
}

export type Operator = ReturnType<typeof createOperator>
