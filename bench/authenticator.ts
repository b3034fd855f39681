import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

type Cbor = number | string | Buffer | [Cbor, Cbor][]

/** The head of an item of CBOR (RFC 8949 3): its type, and a number below 65,536. */
const head = (type: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(type << 5) | value])
  return value < 256 ? Buffer.from([(type << 5) | 24, value]) : Buffer.from([(type << 5) | 25, value >> 8, value & 255])
}

const toCbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.length), ...value.flat().map(toCbor)])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (data: Buffer): string => data.toString('base64url')

/** What an authenticator says of itself (WebAuthn 6.1). */
export interface Flags {
  present: boolean
  verified: boolean
  /** Whether the passkey can be backed up. */
  eligible: boolean
  backedUp: boolean
}
const bits = ({ present, verified, eligible, backedUp }: Flags): number =>
  (present ? 1 : 0) | (verified ? 4 : 0) | (eligible ? 8 : 0) | (backedUp ? 16 : 0)

/** What a browser or an authenticator does otherwise than it should. */
export interface Deviation extends Partial<Flags> {
  origin?: string
  crossOrigin?: boolean
  rpId?: string
  type?: string
  challenge?: string
  counter?: number
  userHandle?: string | null
  /** Whether a byte of the signature is another one. */
  isForged?: boolean
  attestation?: [Cbor, Cbor][]
}

interface Key {
  id: Buffer
  privateKey: KeyObject
  userHandle: string
  counter: number
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}
export interface RequestOptions {
  challenge: string
  rpId: string
  allowCredentials: { id: string }[]
}

/**
 * An authenticator in software, with the browser around it: ES256, with resident keys. `usual` is how it behaves unless a call says
 * otherwise; a counter that is given is not increased.
 */
export const createAuthenticator = (origin: string, usual: Deviation = {}) => {
  const keys: Key[] = []
  const flagsOf = (deviation: Deviation): Flags => ({
    ...{ present: true, verified: true, eligible: false, backedUp: false },
    ...deviation,
  })
  const clientData = (type: string, challenge: string, deviation: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: deviation.crossOrigin ?? false,
      }),
    )
  const authenticatorData = (rpId: string, flags: number, counter: number): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }

  return {
    keys,

    /** `navigator.credentials.create`. `id` is that of a credential to be made, if it matters. */
    create({ challenge, rp, user }: CreationOptions, options: Deviation & { id?: Buffer } = {}) {
      const deviation = { ...usual, ...options }
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const key = {
        id: options.id ?? randomBytes(32),
        privateKey,
        userHandle: user.id,
        counter: deviation.counter ?? 0,
      }
      keys.push(key)
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const cose = toCbor([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.from([key.id.length >> 8, key.id.length & 255])
      const data = Buffer.concat([
        authenticatorData(deviation.rpId ?? rp.id, bits(flagsOf(deviation)) | 64, key.counter),
        ...[Buffer.alloc(16), length, key.id, cose],
      ])
      const attestationObject = toCbor([
        ['fmt', deviation.attestation ? 'packed' : 'none'],
        ['attStmt', deviation.attestation ?? []],
        ['authData', data],
      ])
      return {
        id: text(key.id),
        rawId: text(key.id),
        type: 'public-key',
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge, deviation)),
          attestationObject: text(attestationObject),
          transports: ['internal'],
        },
        clientExtensionResults: { credProps: { rk: true } },
      }
    },

    /** `navigator.credentials.get`: by the key that is asked for, otherwise by the newest. */
    get({ challenge, rpId, allowCredentials }: RequestOptions, options: Deviation = {}) {
      const deviation = { ...usual, ...options }
      const key = keys.findLast(({ id }) => allowCredentials.some((one) => one.id === text(id))) ?? keys.at(-1)
      if (!key) throw new Error('the authenticator has no key')
      if (usual.counter === undefined && options.counter === undefined) key.counter += 1
      const counter = options.counter ?? usual.counter ?? key.counter
      const data = authenticatorData(deviation.rpId ?? rpId, bits(flagsOf(deviation)), counter)
      const client = clientData('webauthn.get', challenge, deviation)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key.privateKey)
      if (deviation.isForged) signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1)
      return {
        id: text(key.id),
        rawId: text(key.id),
        type: 'public-key',
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(signature),
          ...(deviation.userHandle === null ? {} : { userHandle: deviation.userHandle ?? key.userHandle }),
        },
        clientExtensionResults: {},
      }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>
