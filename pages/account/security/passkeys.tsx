import { readAgent } from '../../../lib/user-agent.js'
import { Notice } from '../../shared/frame/notice.js'
import { say } from '../../shared/frame/status-line.js'
import { createPasskey, passkeyObstacle } from '../../shared/passkeys/passkeys.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { words } from '../words.js'
import { FactorRow } from './factor-row.js'
import type { PartProps } from './parts.js'

/** A name by which the person tells it from others; it can be changed. */
const suggestedName = (): string => {
  const { browser, system } = readAgent(navigator.userAgent)
  return [browser, system].filter((part) => part !== undefined).join(', ') || words.passkey
}

/** The passkeys of the account. */
export const Passkeys = ({ own, reload, outcome, onAdded, onRemoved }: PartProps) => {
  const passkeys = own.factors.filter(({ kind }) => kind === 'passkey')
  const obstacle = passkeyObstacle()
  const add = async () => {
    outcome.clear()
    try {
      const options = await request('POST /auth/factors/passkey/options', { body: {} })
      say(words.followDevice)
      const credential = await createPasskey(options)
      const { recoveryCodes } = await request('POST /auth/factors/passkey', {
        body: { credential, name: suggestedName() },
      })
      onAdded(words.passkeyAdded, recoveryCodes)
    } catch (error) {
      outcome.fail(error)
    }
  }
  return (
    <Section heading={words.passkeys} hint={words.passkeysHint}>
      {passkeys.length > 0 && (
        <ul class="items">
          {passkeys.map((factor) => (
            <FactorRow
              factor={factor}
              own={own}
              reload={reload}
              onRemoved={onRemoved}
              outcome={outcome}
              key={factor.id}
            />
          ))}
        </ul>
      )}
      {own.policy === 'off' ? null : obstacle === undefined ? (
        <div>
          <button onClick={() => void add()}>{words.addPasskey}</button>
        </div>
      ) : (
        <Notice kind="warn">{obstacle}</Notice>
      )}
    </Section>
  )
}
