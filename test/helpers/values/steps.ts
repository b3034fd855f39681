import type { Steps } from '../../../db/lists/steps.js'

/** Reads a page in steps of `rows` rows, without a limit of time. */
export const stepsOf = (rows: number): Steps => ({ run: (step) => step(rows) })
