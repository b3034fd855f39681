import type { Draws } from './draws.js'
import { drawChineseName } from './names-chinese.js'
import { drawLatinName } from './names-latin.js'

export interface Name {
  realName: string
  /** Family and given name in the letters a to z, for user names and addresses. */
  family: string
  given: string
}

const chineseShare = 0.7

export const drawName = (draws: Draws, isWoman: boolean): Name =>
  draws.isWithin(chineseShare) ? drawChineseName(draws, isWoman) : drawLatinName(draws, isWoman)
