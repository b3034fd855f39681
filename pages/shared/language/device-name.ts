import { readAgent } from '../../../lib/user-agent.js'
import { frame } from './frame-words.js'

/** A browser and its system in words, as far as its `User-Agent` tells. */
export const deviceName = (userAgent: string): string => {
  const { browser, system } = readAgent(userAgent)
  if (browser === undefined) return system ?? frame.unknownDevice
  return system === undefined ? browser : frame.browserOn(browser, system)
}
