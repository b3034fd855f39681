import type { Installation } from '../../app.js'
import type { Database } from '../../db/index.js'
import { countOf } from '../../lib/count-of.js'
import { findingsOf, type Finding } from './finding.js'

/** Looks for accounts and passkeys that cannot finish a sign-in. `rpId` is the domain of passkeys; undefined: there are none. */
export const checkSecondFactors = async (
  db: Pick<Database, 'factorStates' | 'passkeys'>,
  { settings }: Installation,
  now: number,
  rpId?: string,
): Promise<Finding[]> => {
  const { warning } = findingsOf('second factors')
  const findings: Finding[] = []
  const late = settings.secondFactor.policy === 'off' ? 0 : await db.factorStates.countLate(now)
  if (late > 0)
    findings.push(
      warning(
        `${countOf(late, 'account')} without a second factor whose time to set one up is over`,
        'Where one is required, the next sign-in asks to set it up, which programs cannot do: rollcall user exempt NAME.',
      ),
    )
  const others = rpId === undefined ? 0 : await db.passkeys.countOfOthers(rpId)
  if (others > 0)
    findings.push(
      warning(
        `${countOf(others, 'passkey')} registered for another domain than ${rpId}`,
        'They work only there: their owners need another factor or a recovery code, and a new passkey.',
      ),
    )
  return findings
}
