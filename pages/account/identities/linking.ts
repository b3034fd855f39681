import { leaveTo, takeLinking } from '../../shared/providers/round-trip.js'
import { obstacleHere } from '../../shared/session/client.js'
import { request } from '../../shared/session/entered.js'
import { Refusal } from '../../shared/session/fault.js'
import { tabOnly } from '../../shared/session/tab-only.js'
import { words } from '../words.js'

/** Leaves for a provider; this page is loaded anew at the end. */
export const beginLinking = async (platform: string): Promise<void> => {
  // No token is left behind while another host has the tab.
  const obstacle = obstacleHere()
  if (obstacle) throw new Refusal(tabOnly(obstacle))
  await leaveTo(platform, { purpose: 'link', search: '' })
}

/** Links what a provider has sent back, and resolves to whether anything came back. */
export const finishLinking = async (): Promise<boolean> => {
  const returned = takeLinking()
  if (!returned) return false
  const { platform, code, state, iss, verifier } = returned
  if (code === null || state === null || verifier === undefined) throw new Refusal(words.linkingFailed)
  const { socialTicket } = await request('POST /social/callback', {
    body: { platform, code, state, verifier, ...(iss !== null && { iss }) },
  })
  await request('POST /social/bind', { body: { socialTicket } })
  return true
}
