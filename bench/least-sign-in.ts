import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { hashSync } from '@node-rs/argon2'
import Sqlite from 'better-sqlite3'
import { createSigner } from 'fast-jwt'
import type { FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import { createFailure } from '../db/failure.js'
import { createFlush } from '../db/sqlite/flush.js'
import { createHashThreads } from '../plugins/identity/passwords/hash-threads.js'
import { randomId } from '../lib/random-id.js'
import { envelope } from '../schemas/envelope.js'
import { LoginRequest, LoginResult } from '../schemas/login.js'
import { ref } from '../schemas/ref.js'
import { hashParameters } from './hash-parameters.js'

const patience = { queueLength: 1000, maxWait: 10_000, refusal: () => new Error('Too many sign-ins') }

/** Resolves when the session is on the disk. */
type KeepSession = (id: string, username: string, expiry: number) => Promise<unknown>

const keepInFile = (directory: string): KeepSession => {
  const path = join(directory, 'least.db')
  const db = new Sqlite(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec('create table sessions (id text primary key, username text, expiry integer)')
  const insert = db.prepare('insert into sessions values (?, ?, ?)')
  const log = createFlush(path, createFailure())
  return async (id: string, username: string, expiry: number) => {
    insert.run(id, username, expiry)
    await log.flush()
  }
}

const keepOnPostgres = async (databaseUrl: string): Promise<KeepSession> => {
  const pool = new Pool({ connectionString: databaseUrl })
  await pool.query('create schema least')
  await pool.query('create table least.sessions (id text primary key, username text, expiry bigint)')
  const text = 'insert into least.sessions values ($1, $2, $3)'
  return (...values) => pool.query({ name: 'keep', text, values })
}

interface Place {
  directory: string
  /** The database of Rollcall. If it is on PostgreSQL, the row is there, too; otherwise in a file of its own. */
  databaseUrl: string
}

const openSessions = async ({ directory, databaseUrl }: Place): Promise<KeepSession> =>
  databaseUrl.startsWith('sqlite:') ? keepInFile(directory) : keepOnPostgres(databaseUrl)

/**
 * The smallest possible sign-in: the password is compared in the hash threads of Rollcall, a token is signed, and a row is on
 * the disk before the response, which is ready-made apart from the token. It counts no attempts, writes no log, reads no
 * account and ends no earlier session.
 */
export const addLeastSignIn = async (
  app: FastifyInstance,
  { password, ...place }: Place & { password: string },
  answer: () => LoginResult | undefined,
) => {
  const keepSession = await openSessions(place)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const sign = createSigner({ key, algorithm: 'ES256' })
  const stored = hashSync(password, hashParameters)
  const threads = createHashThreads(patience)
  const schema = { body: ref(LoginRequest), response: { 200: envelope(ref(LoginResult)) } }
  app.post<{ Body: LoginRequest }>('/login', { schema }, async ({ body }) => {
    const { username = '', password: given = '' } = body
    if (!(await threads.run({ group: 'stranger', fairnessKey: username }, 'argon2', stored, given)))
      throw new Error('The password is wrong')
    const [sid, iat] = [randomId(), Math.floor(Date.now() / 1000)]
    const exp = iat + 1800
    const accessToken = sign({ iss: 'rollcall', aud: 'rollcall', sub: username, jti: randomId(), sid, iat, exp })
    await keepSession(sid, username, exp)
    return { code: 200, message: 'Success', data: { ...answer(), accessToken }, timestamp: Date.now() }
  })
}
