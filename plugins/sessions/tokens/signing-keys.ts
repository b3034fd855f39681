import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { SigningKeyRepository, StoredSigningKey } from '../../../db/repositories/signing-keys.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Clock } from '../../../lib/clock.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { randomArgument } from '../../../lib/random-id.js'
import type { KeyLifetimes } from './key-rotation.js'
import type { Encryption } from '../../run/encryption/encryption.js'

const publicParts = { kty: Type.Literal('EC'), crv: Type.Literal('P-256'), x: Type.String(), y: Type.String() }
const PublicJwk = Type.Object(publicParts)
const readPublicJwk = jsonReader(PublicJwk)
const readPrivateJwk = jsonReader(Type.Object({ ...publicParts, d: Type.String() }))

export interface SigningKey {
  kid: string
  publicJwk: Static<typeof PublicJwk>
  /** PEM, as the JWT library takes them. */
  publicPem: string
  privatePem: string
  /** Signs from this moment on, epoch milliseconds. */
  activeTime: number
}

const purpose = (kid: string) => `signing key ${kid}`
/** A token of an unknown key makes us look for new keys, at most this often. Milliseconds. */
const reloadPause = 5000

/** Characters: it is in every token, and 72 bits are enough to tell keys apart. */
const kidLength = 12

/** Makes a key that signs from `activeTime` on. */
export const generateKey = (encryption: Encryption, now: number, activeTime = now): StoredSigningKey => {
  const kid = randomArgument().slice(0, kidLength)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    kid,
    publicJwk: JSON.stringify(publicKey.export({ format: 'jwk' })),
    encryptedPrivateJwk: encryption.encrypt(JSON.stringify(privateKey.export({ format: 'jwk' })), purpose(kid)),
    createTime: now,
    activeTime,
  }
}

const decryptKey = (stored: StoredSigningKey, encryption: Encryption): SigningKey => {
  let privateText: string
  try {
    privateText = encryption.decrypt(stored.encryptedPrivateJwk, purpose(stored.kid))
  } catch (cause) {
    throw new OperatorError(
      'The master secret does not open the signing key in the database. Restore the secret that belongs to this database (DATA_DIR/secret or ROLLCALL_SECRET).',
      { cause },
    )
  }
  const [publicJwk, privateJwk] = [readPublicJwk(stored.publicJwk), readPrivateJwk(privateText)]
  if (!publicJwk || !privateJwk) {
    throw new OperatorError(
      `The signing key ${stored.kid} in the database is damaged. Restore a backup of the database.`,
    )
  }
  return {
    kid: stored.kid,
    publicJwk,
    publicPem: createPublicKey({ key: publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string,
    privatePem: createPrivateKey({ key: privateJwk, format: 'jwk' }).export({
      type: 'pkcs8',
      format: 'pem',
    }) as string,
    activeTime: stored.activeTime,
  }
}

/** Throws unless the master secret opens the signing keys of a database. */
export const checkSigningKeys = async (repository: SigningKeyRepository, encryption: Encryption): Promise<void> => {
  for (const stored of await repository.list()) decryptKey(stored, encryption)
}

/** The ES256 keys of the database, kept in memory. */
export const createSigningKeys = (
  repository: SigningKeyRepository,
  encryption: Encryption,
  clock: Clock,
  lifetimes: KeyLifetimes,
) => {
  let keys: SigningKey[] = []
  let loaded = ''
  let loadTime = -Infinity

  const load = async () => {
    loadTime = clock.now()
    const stored = await repository.list()
    const state = JSON.stringify(stored)
    if (state === loaded) return
    keys = stored.map((key) => decryptKey(key, encryption))
    loaded = state
  }

  const published = () =>
    lifetimes
      .statuses(keys, clock.now())
      .filter(({ status }) => status !== 'old')
      .map(({ key }) => key)

  return {
    /** Loads the keys. In an empty database `addFirst` adds the first one, unless another process does so meanwhile. */
    async open(addFirst: (key: StoredSigningKey) => Promise<void>): Promise<void> {
      await load()
      if (keys.length > 0) return
      await addFirst(generateKey(encryption, clock.now()))
      await load()
    },

    /** Looks for keys that another process added; false when it was done a moment ago. */
    async reload(): Promise<boolean> {
      if (clock.now() - loadTime < reloadPause) return false
      await load()
      return true
    },

    /** Looks for keys that another process added or removed. */
    refresh: load,

    /** The key to sign with: of those already active, the newest. */
    current(): SigningKey {
      const key = keys.find((candidate) => candidate.activeTime <= clock.now()) ?? keys.at(-1)
      if (!key) throw new Error('There is no signing key')
      return key
    },

    all: (): readonly SigningKey[] => keys,

    /** Public keys for other services (RFC 7517), without those whose tokens have expired. */
    publicKeySet: () => ({
      keys: published().map(({ kid, publicJwk: { kty, crv, x, y } }) => ({
        kty,
        crv,
        x,
        y,
        kid,
        use: 'sig',
        alg: 'ES256',
      })),
    }),
  }
}

export type SigningKeys = ReturnType<typeof createSigningKeys>
