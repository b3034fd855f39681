import { base } from '../base.js'
import { frame } from '../language/frame-words.js'
import type { Obstacle } from './tab.js'

/** Why a sign-in lasts only until the page is loaded again, and what the operator does about it. */
export const tabOnly = (obstacle: Obstacle): string => frame.tabOnly[obstacle](base.href.replace(/\/$/, ''))
