import type { Database } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import type { Logout } from '../repositories/logouts.js'

interface Collaborators {
  db: Database
  clock: Clock
  /** Rejects where the application was not told. */
  tell: (logout: Logout) => Promise<void>
  /** Hears of an application that was not told after all tries. */
  gaveUp: (clientId: string, reason: string) => void
}

/** After the first and the second try in vain. Milliseconds. */
const pauses = [60_000, 180_000]
/** How long a process has to send what it has taken: more than a request may take. Milliseconds. */
const claim = 20_000
const atOnce = 10

/**
 * Tells applications that sessions are over (OpenID Connect Back-Channel Logout 1.0): what the end of a session has written down, three tries in
 * five minutes. A process that dies leaves the rest to the others.
 */
export const createOutbox = ({ db, clock, tell, gaveUp }: Collaborators) => {
  const send = async (logout: Logout): Promise<void> => {
    try {
      await tell(logout)
      await db.providerLogouts.remove(logout)
    } catch (error) {
      const pause = pauses[logout.tries]
      if (pause !== undefined) {
        await db.providerLogouts.again(logout, clock.now() + pause)
        return
      }
      await db.providerLogouts.remove(logout)
      gaveUp(logout.clientId, (error as Error).message)
    }
  }

  return {
    async sendDue(): Promise<void> {
      const due = await db.providerLogouts.claim(clock.now(), clock.now() + claim, atOnce)
      await Promise.all(due.map(send))
    },

    /** Sessions that have expired end here: nobody else notices. */
    async endExpired(): Promise<void> {
      const end = () => db.transaction((inside) => inside.providerLogouts.endExpired(clock.now()))
      while ((await end()) > 0);
    },
  }
}
