import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { Type, type Static } from '@sinclair/typebox'
import type { SigningAlgorithm, SigningKeyRepository, StoredSigningKey } from '../../../db/repositories/signing-keys.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Clock } from '../../../lib/clock.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { randomArgument } from '../../../lib/random-id.js'
import type { KeyLifetimes } from './key-rotation.js'
import type { Encryption } from '../../run/encryption/encryption.js'

const text = Type.String()
const shapes = {
  ES256: { kty: Type.Literal('EC'), crv: Type.Literal('P-256'), x: text, y: text },
  RS256: { kty: Type.Literal('RSA'), n: text, e: text },
}
const PublicJwk = Type.Union([Type.Object(shapes.ES256), Type.Object(shapes.RS256)])
const primes = { p: text, q: text, dp: text, dq: text, qi: text }
const PrivateJwk = Type.Union([
  Type.Object({ ...shapes.ES256, d: text }),
  Type.Object({ ...shapes.RS256, d: text, ...primes }),
])
const readPublicJwk = jsonReader(PublicJwk)
const readPrivateJwk = jsonReader(PrivateJwk)

export interface SigningKey {
  kid: string
  algorithm: SigningAlgorithm
  publicJwk: Static<typeof PublicJwk>
  privateJwk: Static<typeof PrivateJwk>
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

const generatePair = promisify(generateKeyPair)

/** In a thread of its own: an RSA key takes a tenth of a second. */
const generators: Record<SigningAlgorithm, () => Promise<{ publicKey: KeyObject; privateKey: KeyObject }>> = {
  ES256: () => generatePair('ec', { namedCurve: 'P-256' }),
  RS256: () => generatePair('rsa', { modulusLength: 2048 }),
}

/** Makes a key that signs from `activeTime` on. */
export const generateKey = async (
  encryption: Encryption,
  algorithm: SigningAlgorithm,
  now: number,
  activeTime = now,
): Promise<StoredSigningKey> => {
  const kid = randomArgument().slice(0, kidLength)
  const { publicKey, privateKey } = await generators[algorithm]()
  return {
    kid,
    algorithm,
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
    algorithm: stored.algorithm,
    publicJwk,
    privateJwk,
    publicPem: createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    }) as string,
    privatePem: createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' }).export({
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

/** The keys of the database, kept in memory. */
export const createSigningKeys = (
  repository: SigningKeyRepository,
  encryption: Encryption,
  clock: Clock,
  lifetimes: KeyLifetimes,
) => {
  let keys: SigningKey[] = []
  let ofAccessTokens: SigningKey[] = []
  let loaded = ''
  let loadTime = -Infinity

  const load = async () => {
    loadTime = clock.now()
    const stored = await repository.list()
    const state = JSON.stringify(stored)
    if (state === loaded) return
    keys = stored.map((key) => decryptKey(key, encryption))
    ofAccessTokens = keys.filter(({ algorithm }) => algorithm === 'ES256')
    loaded = state
  }

  const published = () =>
    lifetimes
      .statuses(keys, clock.now())
      .filter(({ status }) => status !== 'old')
      .map(({ key }) => key)

  return {
    /** Loads the keys. Where there is none of the algorithm `addFirst` adds one, unless another process does so meanwhile. */
    async open(algorithm: SigningAlgorithm, addFirst: (key: StoredSigningKey) => Promise<void>): Promise<void> {
      await load()
      if (keys.some((key) => key.algorithm === algorithm)) return
      await addFirst(await generateKey(encryption, algorithm, clock.now()))
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

    /** The key to sign access tokens with: of those already active, the newest. */
    current(): SigningKey {
      const key = ofAccessTokens.find((candidate) => candidate.activeTime <= clock.now()) ?? ofAccessTokens.at(-1)
      if (!key) throw new Error('There is no signing key')
      return key
    },

    /** Those of access tokens. */
    all: (): readonly SigningKey[] => ofAccessTokens,

    /** Those of all algorithms, the latest active one first. The list is another one after a change. */
    every: (): readonly SigningKey[] => keys,

    /** Public keys for other services (RFC 7517), without those whose tokens have expired. */
    publicKeySet: () => ({
      keys: published().map(({ kid, algorithm, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: algorithm })),
    }),
  }
}

export type SigningKeys = ReturnType<typeof createSigningKeys>
