import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const sizes = { key: 32, nonce: 12, tag: 16 }
/** Part of every key: another name would make existing databases unreadable, or stored entries unknown. */
const keyName = 'rollcall sealing'
const installationName = 'rollcall installation'

/**
 * Encrypts text with AES-256-GCM and a key that is derived from the master secret (HKDF, RFC 5869). `purpose` binds the
 * result to its place: copied elsewhere it cannot be decrypted.
 */
export const createEncryption = (secret: string) => {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', keyName, sizes.key)))

  /** Throws when the text was encrypted with another secret or for another purpose, or has been changed. */
  const decrypt = (encrypted: string, purpose: string): string => {
    const bytes = Buffer.from(encrypted, 'base64url')
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, sizes.nonce), { authTagLength: sizes.tag })
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag))
    return decipher.update(bytes.subarray(sizes.nonce + sizes.tag), undefined, 'utf8') + decipher.final('utf8')
  }

  return {
    decrypt,

    /** Like `decrypt`, but returns undefined instead of throwing: for texts that clients send, and for those that expire. */
    tryDecrypt(encrypted: string, purpose: string): string | undefined {
      try {
        return decrypt(encrypted, purpose)
      } catch {
        return undefined
      }
    },

    encrypt(text: string, purpose: string): string {
      const nonce = randomBytes(sizes.nonce)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
    },
  }
}

/** The name of an installation, 16 letters, digits, - and _: all processes with this master secret have the same. */
export const nameInstallation = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', installationName, sizes.nonce)).toString('base64url')

export type Encryption = ReturnType<typeof createEncryption>
