import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const sizes = { key: 32, nonce: 12, tag: 16 }

/**
 * Encrypts what lies in the database (AES-256-GCM under a key derived from the master secret). `purpose` binds a
 * sealed text to its place: moved elsewhere it does not open.
 */
export const createSealing = (secret: string) => {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'rollcall sealing', sizes.key)))
  return {
    seal(text: string, purpose: string): string {
      const nonce = randomBytes(sizes.nonce)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },

    /** Throws when the text was sealed under another secret or for another purpose, or was altered. */
    open(sealed: string, purpose: string): string {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, sizes.nonce), { authTagLength: sizes.tag })
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag))
      return decipher.update(bytes.subarray(sizes.nonce + sizes.tag), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

export type Sealing = ReturnType<typeof createSealing>
