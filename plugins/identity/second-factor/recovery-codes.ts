import { hash, randomInt } from 'node:crypto'
import type { Repositories } from '../../../db/index.js'
import { foldCode } from '../../../lib/fold-code.js'

/** Without letters and digits that look alike; 32 of them, five bits each. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const length = 24
const group = 4
const count = 10

const newCode = (): string => {
  const text = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return text.replace(new RegExp(`(.{${group}})(?=.)`, 'g'), '$1-')
}

/** The hash that is stored: 120 bits need no slow one (ASVS 6.5.2 asks for it below 112). Case and hyphens are ignored. */
export const hashOfCode = (userId: number, code: string): string =>
  hash('sha256', `${userId} ${foldCode(code).toUpperCase()}`, 'base64url')

/** Gives a user ten new codes of 120 random bits, which are shown once: only their hashes are stored. */
export const replaceRecoveryCodes = async (
  { recoveryCodes }: Pick<Repositories, 'recoveryCodes'>,
  userId: number,
): Promise<string[]> => {
  const codes = Array.from({ length: count }, newCode)
  const hashes = codes.map((code) => hashOfCode(userId, code))
  await recoveryCodes.replace(userId, hashes)
  return codes
}
