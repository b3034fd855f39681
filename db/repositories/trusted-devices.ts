import type { Kysely, Selectable } from 'kysely'
import type { Keeps } from '../keeps.js'
import type { Tables, TrustedDeviceTable } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  trusted_devices: { key: ['id'], ofUser: 'user_id', expires: { column: 'expiry' } },
} satisfies Keeps

/** Rows that one call removes: an earlier version kept any number. */
const maxRemoved = 1000

/** A browser on which the second step of a sign-in is skipped. */
export interface TrustedDevice {
  id: string
  userId: number
  /** The id in the device cookie of the account. */
  deviceId: string
  userAgent: string
  address: string
  /** Epoch milliseconds, like all times here. */
  createTime: number
  lastUsedTime: number | null
  /** From the proof of the second factor on, whatever happens later. */
  expiry: number
}

const toTrustedDevice = (row: Selectable<TrustedDeviceTable>): TrustedDevice => ({
  id: row.id,
  userId: row.user_id,
  deviceId: row.device_id,
  userAgent: row.user_agent,
  address: row.address,
  createTime: row.create_time,
  lastUsedTime: row.last_used_time,
  expiry: row.expiry,
})

export const createTrustedDeviceRepository = (db: Kysely<Tables>) => ({
  async find(userId: number, deviceId: string, now: number): Promise<TrustedDevice | undefined> {
    const row = await db
      .selectFrom('trusted_devices')
      .selectAll()
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .where('expiry', '>', now)
      .executeTakeFirst()
    return row && toTrustedDevice(row)
  },

  /** Latest first. */
  async ofUser(userId: number, now: number): Promise<TrustedDevice[]> {
    const rows = await db
      .selectFrom('trusted_devices')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expiry', '>', now)
      .orderBy('create_time', 'desc')
      .orderBy('id')
      .execute()
    return rows.map(toTrustedDevice)
  },

  /** Replaces what is stored of the same device. */
  async set(device: TrustedDevice): Promise<void> {
    const row = {
      user_agent: device.userAgent,
      address: device.address,
      create_time: device.createTime,
      last_used_time: device.lastUsedTime,
      expiry: device.expiry,
    }
    await db
      .insertInto('trusted_devices')
      .values({ id: device.id, user_id: device.userId, device_id: device.deviceId, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'device_id']).doUpdateSet(row))
      .execute()
  },

  /** Gives the trust in a device to its new id. */
  async moveDevice(userId: number, from: string, to: string): Promise<void> {
    await db
      .updateTable('trusted_devices')
      .set({ device_id: to })
      .where('user_id', '=', userId)
      .where('device_id', '=', from)
      .execute()
  },

  /** Removes all but those that were trusted last. */
  async keepLatest(userId: number, max: number): Promise<void> {
    const earlier = db
      .selectFrom('trusted_devices')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('create_time', 'desc')
      .orderBy('id')
      .limit(maxRemoved)
      .offset(max)
    await db.deleteFrom('trusted_devices').where('id', 'in', earlier).execute()
  },

  async markUsed(id: string, now: number): Promise<void> {
    await db.updateTable('trusted_devices').set({ last_used_time: now }).where('id', '=', id).execute()
  },

  /** Returns whether the user had this one, and it had not expired. */
  async remove(userId: number, id: string, now: number): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('trusted_devices')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('expiry', '>', now)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },

  async removeOfUser(userId: number): Promise<void> {
    await db.deleteFrom('trusted_devices').where('user_id', '=', userId).execute()
  },
})
