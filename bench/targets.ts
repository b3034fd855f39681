import type { BenchDatabase } from './database.js'

/** Least ratios to the bare server, or to the smallest possible sign-in for `login`. */
interface Ratios {
  userInfo: number
  samePage: number
  otherPage: number
  changes: number
  login: number
}

export const ratios: Record<BenchDatabase['engine'], Ratios> = {
  sqlite: { userInfo: 0.5, samePage: 0.5, otherPage: 0.27, changes: 0.25, login: 0.85 },
  postgres: { userInfo: 0.4, samePage: 0.5, otherPage: 0.2, changes: 0.18, login: 0.65 },
}

/** Most milliseconds until the first page under a filter or order that is new. SQLite has targets for searches instead. */
export const firstAnswer: Partial<Record<BenchDatabase['engine'], number>> = { postgres: 1000 }
