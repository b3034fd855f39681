import { Type } from '@sinclair/typebox'
import type { Kysely, Selectable } from 'kysely'
import { containsAnyCase } from '../../../db/contains.js'
import type { Page } from '../../../db/paging.js'
import { compileQuery } from '../../../db/query.js'
import type { Tables } from '../../../db/tables.js'
import type { Order } from '../../../lib/read-order.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { ClientSettings, presets } from '../clients/settings.js'

interface ClientTable {
  id: string
  tenant_id: number
  name: string
  /** JSON of `ClientSettings`. */
  metadata: string
  /** Its address for logout tokens, beside what is in `metadata`. */
  logout_uri: string | null
  /** SHA-256 of the secret, base64url; null for clients that keep none. */
  secret_hash: string | null
  old_secret_hash: string | null
  old_secret_expiry: number | null
  last_error: string | null
  last_error_time: number | null
  create_time: number
  update_time: number
}

interface HostTable {
  /** As `hostKey` writes it. */
  host: string
  client_id: string
}

declare module '../../../db/tables.js' {
  interface OtherTables {
    provider_clients: ClientTable
    provider_hosts: HostTable
  }
}

/** An application that signs people in here. Times are epoch milliseconds. */
export interface Client extends ClientSettings {
  id: string
  tenantId: number
  name: string
  secretHash: string | null
  /** The secret of before the last change, as long as it is still taken. */
  oldSecret: { hash: string; expiry: number } | null
  lastError: { message: string; time: number } | null
  createTime: number
  updateTime: number
  /** Whether it is no row: it describes itself in a document at its id. */
  isDocument?: true
}

type Stored = Partial<ClientSettings> & Pick<ClientSettings, 'redirectUris'>
const readStored = jsonReader(Type.Object({ redirectUris: Type.Array(Type.String()) }))
/** A setting that is younger than the application has its preset. */
const readSettings = (text: string): Stored | undefined => readStored(text)

const toClient = (row: Selectable<ClientTable>): Client => {
  const settings = readSettings(row.metadata)
  if (!settings) throw new Error(`The application ${row.id} in the database is damaged`)
  return {
    ...presets,
    ...settings,
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    secretHash: row.secret_hash,
    oldSecret:
      row.old_secret_hash === null || row.old_secret_expiry === null
        ? null
        : { hash: row.old_secret_hash, expiry: row.old_secret_expiry },
    lastError:
      row.last_error === null || row.last_error_time === null
        ? null
        : { message: row.last_error, time: row.last_error_time },
    createTime: row.create_time,
    updateTime: row.update_time,
  }
}

const settingNames = Object.keys(ClientSettings.properties) as (keyof ClientSettings)[]

/** What is stored as JSON. */
const toMetadata = (client: ClientSettings): string =>
  JSON.stringify(Object.fromEntries(settingNames.map((name) => [name, client[name]])))

const toColumns = (client: Omit<Client, 'id' | 'createTime' | 'lastError'>) => ({
  tenant_id: client.tenantId,
  name: client.name,
  metadata: toMetadata(client),
  logout_uri: client.backchannelLogoutUri,
  secret_hash: client.secretHash,
  old_secret_hash: client.oldSecret?.hash ?? null,
  old_secret_expiry: client.oldSecret?.expiry ?? null,
  update_time: client.updateTime,
})

export interface ClientFilter {
  tenantId?: number | undefined
  /** Contained in the id or the name, case-insensitive. */
  keyword?: string | undefined
}

export const clientColumns = ['id', 'name', 'tenantId', 'createTime'] as const
export type ClientOrder = Order<(typeof clientColumns)[number]>

const columnOf = { id: 'id', name: 'name', tenantId: 'tenant_id', createTime: 'create_time' } as const

const selectClient = compileQuery((db, { id }: { id: string }) =>
  db.selectFrom('provider_clients').selectAll().where('id', '=', id),
)

const selectOfHost = compileQuery((db, { host }: { host: string }) =>
  db
    .selectFrom('provider_hosts')
    .innerJoin('provider_clients', 'provider_clients.id', 'provider_hosts.client_id')
    .selectAll('provider_clients')
    .where('provider_hosts.host', '=', host),
)

const addHosts = async (db: Kysely<Tables>, { id, hosts }: Pick<Client, 'id' | 'hosts'>): Promise<void> => {
  if (hosts.length === 0) return
  await db
    .insertInto('provider_hosts')
    .values(hosts.map((host) => ({ host, client_id: id })))
    .execute()
}

export const createClients = (db: Kysely<Tables>) => ({
  async find(id: string): Promise<Client | undefined> {
    const [row] = await selectClient(db, { id })
    return row && toClient(row)
  },

  /** The application that a host is, by `hostKey`. */
  async ofHost(host: string): Promise<Client | undefined> {
    const [row] = await selectOfHost(db, { host })
    return row && toClient(row)
  },

  async countOf(tenantId: number): Promise<number> {
    const { count } = await db
      .selectFrom('provider_clients')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  /** A tenant has few: `maxClients`. */
  async page(
    { tenantId, keyword }: ClientFilter,
    { size, offset }: Page,
    order: ClientOrder[],
  ): Promise<{ rows: Client[]; total: number }> {
    let found = db.selectFrom('provider_clients')
    if (tenantId !== undefined) found = found.where('tenant_id', '=', tenantId)
    if (keyword !== undefined)
      found = found.where((eb) => eb.or([containsAnyCase('id', keyword), containsAnyCase('name', keyword)]))
    const { count } = await found
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    const sorted = [...order, { column: 'id' as const, direction: 'asc' as const }].reduce(
      (query, { column, direction }) => query.orderBy(columnOf[column], direction),
      found.selectAll(),
    )
    const rows = await sorted.limit(size).offset(offset).execute()
    return { rows: rows.map(toClient), total: Number(count) }
  },

  /** By id; of one tenant or of all. */
  async list(tenantId?: number): Promise<Client[]> {
    let query = db.selectFrom('provider_clients').selectAll().orderBy('id')
    if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId)
    return (await query.execute()).map(toClient)
  },

  async add(client: Client): Promise<void> {
    await db
      .insertInto('provider_clients')
      .values({ id: client.id, ...toColumns(client), create_time: client.createTime })
      .execute()
    await addHosts(db, client)
  },

  async change(client: Client): Promise<void> {
    await db.updateTable('provider_clients').set(toColumns(client)).where('id', '=', client.id).execute()
    await db.deleteFrom('provider_hosts').where('client_id', '=', client.id).execute()
    await addHosts(db, client)
  },

  /** With its grants and tokens. */
  async remove(id: string): Promise<void> {
    const tables = [
      'provider_entries',
      'provider_visits',
      'provider_grants',
      'provider_consents',
      'provider_hosts',
    ] as const
    for (const table of tables) await db.deleteFrom(table).where('client_id', '=', id).execute()
    await db.deleteFrom('provider_clients').where('id', '=', id).execute()
  },

  async noteError(id: string, message: string, now: number): Promise<void> {
    await db
      .updateTable('provider_clients')
      .set({ last_error: message, last_error_time: now })
      .where('id', '=', id)
      .execute()
  },
})
