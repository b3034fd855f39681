import type { Operations } from '../../../client/index.js'

export type OwnFactors = Operations['GET /auth/factors']['data']
export type Factor = OwnFactors['factors'][number]

/** What the parts of the page of factors share. */
export interface PartProps {
  own: OwnFactors
  reload: () => void
  /** Shows recovery codes, which are told once. */
  onCodes: (codes: readonly string[]) => void
}
