import { Notice } from '../../shared/frame/notice.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { words } from '../words.js'
import type { PartProps } from './parts.js'

/** With so few codes left, it is time for new ones. */
const few = 3

/** How many recovery codes are left, and new ones. */
export const RecoverySection = ({ own, reload, outcome, isRecovered, onCodes }: PartProps) => {
  const renew = () => {
    outcome.clear()
    request('POST /auth/factors/recovery-codes').then(({ recoveryCodes }) => {
      reload()
      onCodes(recoveryCodes)
    }, outcome.fail)
  }
  return (
    <Section heading={words.recoveryCodes} hint={words.recoveryCodesHint}>
      {own.recoveryCodesLeft <= few ? (
        <Notice kind="warn">{words.codesLeft(own.recoveryCodesLeft)}</Notice>
      ) : (
        <p>{words.codesLeft(own.recoveryCodesLeft)}</p>
      )}
      {!isRecovered && <p class="hint">{words.lostDevice}</p>}
      <div>
        <button onClick={renew}>{words.newCodes}</button>
      </div>
    </Section>
  )
}
