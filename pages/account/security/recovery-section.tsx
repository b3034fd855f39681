import { useState } from 'preact/hooks'
import { Notice } from '../../shared/frame/notice.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { Section } from '../../shared/shell/shell.js'
import { words } from '../words.js'
import type { PartProps } from './parts.js'

/** With so few codes left, it is time for new ones. */
const few = 3

/** How many recovery codes are left, and new ones. */
export const RecoverySection = ({ own, reload, onCodes }: PartProps) => {
  const [problem, setProblem] = useState<string>()
  const renew = () => {
    setProblem(undefined)
    request('POST /auth/factors/recovery-codes').then(
      ({ recoveryCodes }) => {
        reload()
        onCodes(recoveryCodes)
      },
      (error: unknown) => setProblem(toFault(error).message),
    )
  }
  return (
    <Section heading={words.recoveryCodes} hint={words.recoveryCodesHint}>
      {own.recoveryCodesLeft <= few ? (
        <Notice kind="warn">{words.codesLeft(own.recoveryCodesLeft)}</Notice>
      ) : (
        <p>{words.codesLeft(own.recoveryCodesLeft)}</p>
      )}
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      <div>
        <button onClick={renew}>{words.newCodes}</button>
      </div>
    </Section>
  )
}
