import { useState } from 'preact/hooks'
import { Notice } from '../../shared/frame/notice.js'
import { say } from '../../shared/frame/status-line.js'
import { date } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { Section } from '../../shared/shell/shell.js'
import { deviceName } from '../device-name.js'
import { words } from '../words.js'
import type { PartProps } from './parts.js'

/** The browsers that are not asked for the second step. */
export const TrustedDevices = ({ own, reload }: PartProps) => {
  const [problem, setProblem] = useState<string>()
  const forget = (work: Promise<unknown>) => {
    setProblem(undefined)
    work.then(
      () => {
        say(words.removed)
        reload()
      },
      (error: unknown) => setProblem(toFault(error).message),
    )
  }
  return (
    <Section heading={words.trustedDevices} hint={words.trustedDevicesHint}>
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      <ul class="items">
        {own.trustedDevices.map(({ id, userAgent, address, expiry, current }) => (
          <li key={id}>
            <div class="what">
              <p title={userAgent}>
                {deviceName(userAgent)} {current && <span class="badge good">{words.thisDevice}</span>}
              </p>
              <p class="hint">{[address, words.until(date(new Date(expiry)))].join(' · ')}</p>
            </div>
            <button
              aria-label={words.stopTrustingThe(deviceName(userAgent))}
              onClick={() => forget(request('DELETE /auth/trusted-devices/{id}', { path: { id } }))}
            >
              {words.stopTrusting}
            </button>
          </li>
        ))}
      </ul>
      {own.trustedDevices.length > 1 && (
        <div>
          <button class="danger" onClick={() => forget(request('DELETE /auth/trusted-devices'))}>
            {words.stopTrustingAll}
          </button>
        </div>
      )}
    </Section>
  )
}
