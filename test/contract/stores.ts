import { randomBytes } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'
import { test, type Test } from 'tap'
import { prepareRedis } from '../../db/index.js'
import type { Store } from '../../db/repositories/store.js'
import { filesToSave } from '../helpers/documents/documents.js'
import { deleteKeys, findRedis } from '../helpers/databases/redis.js'
import { onEachEngine } from './engines.js'

type CreateStore = (now: () => number) => Store

const url = await findRedis()
const skip =
  url === undefined ? 'neither ROLLCALL_TEST_REDIS_URL nor redis-server (package redis-server) is here' : false

const shown = stripTypeScriptTypes(filesToSave('docs/embedding.md').get('memory-store.mts') ?? '')
const { createMemoryStore } = (await import(`data:text/javascript,${encodeURIComponent(shown)}`)) as {
  createMemoryStore: CreateStore
}

/** Runs a test on each store of short-lived state: of each engine, in Redis, and the example for host apps. All are empty. */
export const onEachStore = (name: string, work: (t: Test, createStore: CreateStore) => Promise<void>): void => {
  onEachEngine(name, (t, db) => work(t, db.createStore))
  void test(`${name} (docs/embedding.md)`, (t) => work(t, createMemoryStore))
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
