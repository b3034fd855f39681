import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { emptyDirectory } from '../helpers/processes/child.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { prepareData, type Plain } from '../helpers/service/prepared-data.js'
import { eventually, startProcess, type ServerProcess } from '../helpers/processes/process.js'
import { createRandom } from '../helpers/values/random.js'
import { merge } from '../helpers/service/server.js'
import { createFacts, Refused } from './crash-facts.js'
import type { Desk } from './crash-desk.js'
import { writers } from './crash-writers.js'

const client = { accessTtl: 3600, idleTtl: 3600, maxTtl: 86_400, maxSessions: 1000, onLimit: 'replace' }
const settings = {
  captcha: { mode: 'never' },
  registration: { mode: 'open' },
  sms: { sender: 'log' },
  oneTimeCodes: { addressPerDay: 1_000_000 },
  clients: { pc: client },
  // People of the role `guarded` set a factor up before they are signed in, without a code to their contact.
  secondFactor: { graceDays: 0, setupCode: false },
}

/** A data directory of its own on the engine of the run. */
const install = async (t: Test): Promise<string> => {
  const directory = emptyDirectory(t)
  await prepareData(t, directory, {})
  const file = join(directory, 'config.json')
  writeFileSync(file, JSON.stringify(merge(JSON.parse(readFileSync(file, 'utf8')) as Plain, settings)))
  return directory
}

const signIn = async (server: ServerProcess): Promise<string> =>
  (await server.signIn('admin', adminPassword)).body.data.accessToken

/** What the audit trail has a row for. */
const isManaging = (method: string, path: string) =>
  method !== 'GET' && /^\/(system|auth\/online|auth\/register$)/.test(path)

const countAudit = async (server: ServerProcess, token: string): Promise<number> =>
  (await server.call('GET', '/system/audit/page?pageSize=1', { token })).body.data.total

/** Writes for ever; ends with the process, and reports what is not the fault of its end. */
const goOn = async (desk: Desk, write: (desk: Desk) => Promise<void>, isKilled: () => boolean): Promise<void> => {
  try {
    for (;;) await write(desk)
  } catch (error) {
    if (error instanceof Refused || !isKilled()) throw error
  }
}

/**
 * Kills a server so many times with SIGKILL while eleven writers are at work, and starts it again on the same data: every
 * write that was answered with 200 is looked up over HTTP, and what was under way is there as a whole or not at all.
 * Prints the seed, with which ROLLCALL_TEST_SEED repeats the moments of the kills.
 */
export const killUnderWrites = async (t: Test, kills: number): Promise<void> => {
  const seed = Number(process.env['ROLLCALL_TEST_SEED'] ?? randomInt(2 ** 31))
  t.comment(`seed ${seed}`)
  const random = createRandom(seed)
  const directory = await install(t)
  const environment = { ROLLCALL_DEV_ECHO: '1', LOG_LEVEL: 'error' }
  let number = 0
  let written = 0
  let looked = 0
  let unanswered = 0
  let server = await startProcess(t, { directory, environment })
  let token = await signIn(server)
  for (const key of ['one', 'two', 'guarded']) {
    await server.call('POST', '/system/role', { token, json: { key, name: key, permissions: [] } })
  }
  await server.call('PATCH', '/system/role/guarded', { token, json: { secondFactorRequired: true } })
  for (let kill = 0; kill < kills; kill++) {
    const facts = createFacts()
    const recorded = await countAudit(server, token)
    let managed = 0
    const live = server
    const call: ServerProcess['call'] = async (method, path, options) => {
      const answer = await live.call(method, path, options)
      if (answer.status === 200 && isManaging(method, path)) managed++
      return answer as never
    }
    const desk = { server: { call }, facts, token, next: () => ++number }
    let isKilled = false
    const working = Promise.all(writers.map((write) => goOn(desk, write, () => isKilled)))
    const enough = 40 + random.below(60)
    await Promise.race([working, eventually('writes', () => (facts.answered() >= enough ? true : undefined))])
    await new Promise((resolve) => setTimeout(resolve, random.below(40)))
    isKilled = true
    t.match(await server.stop('SIGKILL'), { signal: 'SIGKILL' }, `kill ${kill + 1} after ${facts.answered()} writes`)
    await working
    server = await startProcess(t, { directory, environment })
    token = await signIn(server)
    const found = await facts.lookUp(server, token)
    t.same(found.lost, [], 'every answered write is there')
    const rows = (await countAudit(server, token)) - recorded
    t.ok(rows >= managed, `the audit trail has the ${managed} changes that were answered, also those changed again`)
    written += facts.answered()
    looked += found.looked
    unanswered += found.unanswered
  }
  const { body } = await server.call('GET', '/health/ready')
  t.equal(body.code, 200)
  t.ok(
    looked > 10 * kills,
    `${looked} things looked up after ${kills} kills, in which ${written} writes had been answered`,
  )
  t.comment(`${unanswered} writes were under way: each is there as a whole or not at all`)
}
