import { pageNumbers, toPage } from '../../../db/paging.js'
import type { Tenant } from '../../../db/repositories/tenants.js'
import { defaultTenantId } from '../../../schemas/login.js'
import {
  tenantColumns,
  type NewTenantRequest,
  type TenantChangeRequest,
  type TenantPage,
  type TenantQuery,
  type TenantRecord,
} from '../../../schemas/tenant.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { createReadOrder } from '../../../lib/read-order.js'
import { toTime } from '../../../lib/time-text.js'
import type { Change } from './change.js'
import type { LiftedRequirement, LiftedRequirements } from './lifted-requirements.js'
import { checkIsSystemAdmin, isVisible, visibleTenant, type Manager } from './policy.js'

const readOrder = createReadOrder(tenantColumns, [{ column: 'id', direction: 'asc' }])

const toRecord = (tenant: Tenant): TenantRecord => ({ ...tenant, createTime: toTime(tenant.createTime) })
const targetOf = ({ id, name }: Tenant) => ({ type: 'tenant' as const, id, name, tenantId: id })

/** Lists, adds and changes tenants. All changes are recorded in the audit trail. */
export const createTenants = (
  { accounts, audit, clock, db, lists }: Needs<'accounts' | 'audit' | 'clock' | 'db' | 'lists'>,
  change: Change,
  liftedRequirements: LiftedRequirements,
) => ({
  /** Throws `invalid_request` for what is not a column or a direction, and `too_many_requests`. */
  async page(actor: Manager, query: TenantQuery, closed?: () => AbortSignal): Promise<TenantPage> {
    const wanted = toPage(query)
    const filter = { id: visibleTenant(actor), name: query.name }
    const order = readOrder(query)
    const { caller } = actor
    const { rows, total } = await lists.read({ caller, closed }, { list: 'tenants', filter, order }, (steps) =>
      db.tenants.page(filter, wanted, order, steps),
    )
    return { records: rows.map(toRecord), ...pageNumbers(total, wanted) }
  },

  /** Throws `not_found`. */
  async get(actor: Manager, id: number): Promise<TenantRecord> {
    const tenant = isVisible(actor, id) ? await db.tenants.find(id) : undefined
    if (!tenant) throw problem('not_found')
    return toRecord(tenant)
  },

  /** Throws `permission_denied`, and `invalid_request` for a name that is not valid or taken. */
  async add(actor: Manager, { name }: NewTenantRequest): Promise<TenantRecord> {
    checkIsSystemAdmin(actor)
    accounts.checkTenantName(name)
    return change(async (inside) => {
      if (await inside.tenants.findByName(name)) throw invalidField('name', 'taken')
      const tenant = await inside.tenants.add(name, clock.now())
      await audit.record(inside, actor, { action: 'tenant.add', target: targetOf(tenant), after: { name } })
      return toRecord(tenant)
    })
  },

  /**
   * Changes the given fields. Disabling ends the sessions of all its users; enabling does not restore them. Throws
   * `not_found`, `permission_denied`, `last_administrator` (also for the default tenant, in which people sign in who name
   * none), `invalid_request`, and `step_up_required` when a second factor is no longer required.
   */
  async edit(actor: Manager, id: number, wanted: TenantChangeRequest): Promise<TenantRecord> {
    const { name, enabled, secondFactorRequired } = wanted
    if (!isVisible(actor, id)) throw problem('not_found')
    checkIsSystemAdmin(actor)
    if (name !== undefined) accounts.checkTenantName(name)
    let lifted: LiftedRequirement | undefined
    const record = await change(
      async (inside) => {
        const before = await inside.tenants.find(id)
        if (!before) throw problem('not_found')
        if (enabled === false && id === defaultTenantId) throw problem('last_administrator')
        if (name !== undefined && name !== before.name) {
          const known = await inside.tenants.findByName(name)
          if (known && known.id !== id) throw invalidField('name', 'taken')
          await inside.tenants.rename(id, name, clock.now())
          const values = { before: { name: before.name }, after: { name } }
          await audit.record(inside, actor, { action: 'tenant.edit', target: targetOf({ ...before, name }), ...values })
        }
        if (secondFactorRequired !== undefined && secondFactorRequired !== before.secondFactorRequired) {
          if (!secondFactorRequired) {
            await liftedRequirements.check(actor)
            lifted = { kind: 'tenant', name: before.name, tenantId: id }
          }
          await inside.tenants.setSecondFactorRequired(id, secondFactorRequired, clock.now())
          const values = {
            before: { secondFactorRequired: before.secondFactorRequired },
            after: { secondFactorRequired },
          }
          await audit.record(inside, actor, { action: 'tenant.edit', target: targetOf(before), ...values })
        }
        if (enabled !== undefined && enabled !== before.enabled) {
          await inside.tenants.setEnabled(id, enabled, clock.now())
          const action = enabled ? 'tenant.enable' : 'tenant.disable'
          const values = { before: { enabled: before.enabled }, after: { enabled } }
          await audit.record(inside, actor, { action, target: targetOf(before), ...values })
        }
        if (enabled === false) await inside.sessions.endOfTenant(id, 'disabled', clock.now())
        return toRecord({
          ...before,
          name: name ?? before.name,
          enabled: enabled ?? before.enabled,
          secondFactorRequired: secondFactorRequired ?? before.secondFactorRequired,
        })
      },
      { administration: true, changedTenant: id },
    )
    await liftedRequirements.tell(actor, lifted)
    return record
  },
})
