import { randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import { prepareRedis } from '../../db/index.js'
import type { Store } from '../../db/repositories/store.js'
import { deleteKeys, findRedis } from '../helpers/redis.js'
import { onEachEngine } from './engines.js'

type CreateStore = (now: () => number) => Store

const url = await findRedis()
const skip =
  url === undefined ? 'neither ROLLCALL_TEST_REDIS_URL nor redis-server (package redis-server) is here' : false

/** Runs a test on each store of short-lived state: that of each engine, and that in Redis. All are empty. */
export const onEachStore = (name: string, work: (t: Test, createStore: CreateStore) => Promise<void>): void => {
  onEachEngine(name, (t, db) => work(t, db.createStore))
  void test(`${name} (Redis)`, { skip }, async (t) => {
    const redis = await prepareRedis(url ?? '')
    const installation = `test-${randomBytes(8).toString('hex')}`
    t.teardown(async () => {
      redis.close()
      await deleteKeys(url ?? '', `rollcall:{${installation}}:`)
    })
    await work(t, (now) => redis.createStore(installation, now))
  })
}
