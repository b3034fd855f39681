import { frame } from '../language/frame-words.js'
import { Refusal } from '../session/fault.js'

/** As the service tells them apart. */
const kindOf = (recipient: string) => (recipient.includes('@') ? 'email' : 'phone')

/**
 * Throws at the field what a recipient of the other kind is not. The service would send to it by the other way, or say that this way is
 * missing, which is about no field.
 */
export const checkKind = (kind: 'email' | 'phone', recipient: string): void => {
  if (kindOf(recipient) !== kind) throw new Refusal('', { recipient: frame.mustBe[kind] })
}
