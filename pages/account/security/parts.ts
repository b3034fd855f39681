import type { Operations } from '../../../client/index.js'
import type { Outcome } from '../../shared/shell/outcome.js'

export type OwnFactors = Operations['GET /auth/factors']['data']
export type Factor = OwnFactors['factors'][number]

/** What the parts of the page of factors share. */
export interface PartProps {
  own: OwnFactors
  reload: () => void
  outcome: Outcome
  /** Says that a factor has been added, once the codes that came with it are kept. */
  onAdded: (text: string, codes: readonly string[] | undefined) => void
  /** After a factor has been removed. */
  onRemoved: () => void
  /** Whether the person has signed in with a recovery code, and the page advises what to do now. */
  isRecovered: boolean
  /** Shows recovery codes, which are told once. */
  onCodes: (codes: readonly string[]) => void
}
