import type { EncryptedPlace, EncryptedTextRepository } from '../../../db/repositories/encrypted-texts.js'
import { createEncryption } from './encryption.js'

/** The purposes for which texts are encrypted (see `createEncryption`), by their places. */
const purposes: Record<EncryptedPlace, (id: string) => string> = {
  'signing key': (kid) => `signing key ${kid}`,
  session: (id) => `session ${id}`,
  store: (key) => key,
  totp: (id) => `totp ${id}`,
}

/** Encrypts everything in the database with another master secret; returns how many texts. Must run in a transaction. */
export const rewrap = (texts: EncryptedTextRepository, from: string, to: string): Promise<number> => {
  const [before, after] = [createEncryption(from), createEncryption(to)]
  return texts.reencryptAll((place, id, text) => {
    const purpose = purposes[place](id)
    return after.encrypt(before.decrypt(text, purpose), purpose)
  })
}
