import type { Settings } from '../../schemas/settings.js'
import { problem } from '../../lib/problem.js'

/**
 * The lifetimes of a kind of client. Throws `session_expired` for a kind that is no longer in the configuration: its sessions
 * end with it.
 */
export const settingsOf = (clients: Settings['clients'], userClient: string): Settings['clients']['pc'] => {
  const found = Object.hasOwn(clients, userClient) ? clients[userClient] : undefined
  if (!found) throw problem('session_expired')
  return found
}
