import { keptTables, type Kept } from '../repositories/kept.js'

export type CopiedTable = Pick<Kept, 'name' | 'key'>

/** The tables that are copied; captchas, codes, lockouts and counters only on request. */
export const tablesToCopy = (hasStore: boolean): readonly CopiedTable[] =>
  keptTables.filter(({ isShortLived = false }) => hasStore || !isShortLived)
