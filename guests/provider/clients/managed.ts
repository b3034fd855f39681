import { pageNumbers, toPage } from '../../../db/paging.js'
import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import type { Actor } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { maskEmail, maskPhone } from '../../../lib/mask.js'
import { problem } from '../../../lib/problem.js'
import { createReadOrder } from '../../../lib/read-order.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import { isVisible, visibleTenant } from '../../../plugins/people/manage/policy.js'
import { defaultTenantId } from '../../../schemas/login.js'
import type { FindClaims } from '../claims.js'
import { readPerson } from '../person.js'
import { clientColumns, type Client } from '../repositories/clients.js'
import type { ApplicationChange, ApplicationPage, ApplicationQuery, NewApplication } from '../schemas.js'
import { previewClaims, type ClaimsPreview } from './claims-preview.js'
import type { Clients } from './clients.js'
import { toRecord, type ClientRecord } from './record.js'
import { presetsOf } from './settings.js'

interface Collaborators {
  db: Database
  clock: Clock
  clients: Clients
  findClaims: FindClaims
}

const readOrder = createReadOrder(clientColumns, [{ column: 'name', direction: 'asc' }])

/** What the contacts of a user are for somebody who may not see them. */
const masks: Record<string, (contact: string) => string> = { email: maskEmail, phone_number: maskPhone }
const masked = (claims: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      typeof value === 'string' ? (masks[name]?.(value) ?? value) : value,
    ]),
  )

/** Applications as administrators see and change them. */
export const createManagedClients = ({ db, clock, clients, findClaims }: Collaborators) => {
  /** With the names of their tenants, and what waits. */
  const describe = async (list: Client[]): Promise<ClientRecord[]> => {
    const names = await db.tenants.namesOf([...new Set(list.map(({ tenantId }) => tenantId))])
    const pending = await db.providerLogouts.pending()
    return list.map((client) =>
      toRecord(client, {
        tenantName: names.get(client.tenantId) ?? '',
        pendingLogouts: pending.get(client.id) ?? 0,
      }),
    )
  }
  const describeOne = async (client: Client): Promise<ClientRecord> => {
    const [record] = await describe([client])
    if (!record) throw problem('not_found')
    return record
  }

  return {
    describe,

    /** Throws `invalid_request` for what is not a column or a direction. */
    async page(actor: Actor<SessionOwner>, query: ApplicationQuery): Promise<ApplicationPage> {
      const order = readOrder(query)
      const wanted = toPage(query)
      const { tenantId, keyword } = query
      if (tenantId !== undefined && !isVisible(actor, tenantId)) return { records: [], ...pageNumbers(0, wanted) }
      const filter = { tenantId: visibleTenant(actor) ?? tenantId, keyword }
      const { rows, total } = await db.providerClients.page(filter, wanted, order)
      return { records: await describe(rows), ...pageNumbers(total, wanted) }
    },

    /** Throws `not_found`. */
    get: async (actor: Actor<SessionOwner>, id: string): Promise<ClientRecord> =>
      describeOne(await clients.find(actor, id)),

    /** Throws `client_exists`, `too_many_clients` and `invalid_request`. */
    async add(actor: Actor<SessionOwner>, { tenantId, access, ...wanted }: NewApplication) {
      const preset = presetsOf(wanted.type)
      const { client, secret } = await clients.add(actor, {
        ...preset,
        ...wanted,
        tenantId: tenantId ?? actor.caller?.tenant.id ?? defaultTenantId,
        access: { ...preset.access, ...access },
      })
      return { ...(await describeOne(client)), ...(secret !== undefined && { secret }) }
    },

    /** Throws `not_found`, `permission_denied` and `invalid_request`. */
    change: async (actor: Actor<SessionOwner>, id: string, change: ApplicationChange): Promise<ClientRecord> =>
      describeOne(await clients.change(actor, id, change)),

    /** What it would get to know of a user now. Throws `not_found`. */
    async claims(actor: Actor<SessionOwner>, id: string, userId: number): Promise<ClaimsPreview> {
      const client = await clients.find(actor, id)
      const person = await readPerson(db, userId)
      if (!person || !isVisible(actor, person.user.tenantId)) throw problem('not_found')
      const preview = await previewClaims(findClaims, client, person, clock.now())
      if (seesContacts(actor.caller)) return preview
      return { ...preview, idToken: masked(preview.idToken), userinfo: masked(preview.userinfo) }
    },
  }
}

export type ManagedClients = ReturnType<typeof createManagedClients>
