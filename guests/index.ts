import type { Guest } from './guest.js'
import * as list from './list.js'

/** What stands on the house. Light to load: commands read it, too. */
export const guests: readonly Guest[] = Object.values(list)
