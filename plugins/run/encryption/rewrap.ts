import type { EncryptedTextRepository } from '../../../db/repositories/encrypted-texts.js'
import { createEncryption } from './encryption.js'

/** Encrypts everything in the database with another master secret; returns how many texts. Must run in a transaction. */
export const rewrap = (texts: EncryptedTextRepository, from: string, to: string): Promise<number> => {
  const [before, after] = [createEncryption(from), createEncryption(to)]
  return texts.reencryptAll((text, purpose) => after.encrypt(before.decrypt(text, purpose), purpose))
}
