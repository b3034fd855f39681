import { readAgent } from '../shared/language/agent.js'
import { words } from './words.js'

/** A browser and its system in words, as far as its `User-Agent` tells. */
export const deviceName = (userAgent: string): string => {
  const { browser, system } = readAgent(userAgent)
  if (browser === undefined) return system ?? words.unknownDevice
  return system === undefined ? browser : words.browserOn(browser, system)
}
