import { Item } from '../../shared/frame/item.js'
import { date } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { deviceName } from '../../shared/language/device-name.js'
import { words } from '../words.js'
import type { PartProps } from './parts.js'

/** The browsers that are not asked for the second step. */
export const TrustedDevices = ({ own, reload, outcome }: PartProps) => {
  const forget = (work: Promise<unknown>, button: HTMLElement) => outcome.remove(work, button, reload, words.removed)
  return (
    <Section heading={words.trustedDevices} hint={words.trustedDevicesHint}>
      <ul class="items">
        {own.trustedDevices.map(({ id, userAgent, address, expiry, current }) => (
          <Item
            key={id}
            title={userAgent}
            name={[deviceName(userAgent), ' ', current && <span class="badge good">{words.thisDevice}</span>]}
            facts={[address, words.until(date(new Date(expiry)))].join(' · ')}
          >
            <button
              aria-label={words.stopTrustingThe(deviceName(userAgent))}
              onClick={({ currentTarget }) =>
                forget(request('DELETE /auth/trusted-devices/{id}', { path: { id } }), currentTarget)
              }
            >
              {words.stopTrusting}
            </button>
          </Item>
        ))}
      </ul>
      {own.trustedDevices.length > 1 && (
        <div>
          <button
            class="danger"
            onClick={({ currentTarget }) => forget(request('DELETE /auth/trusted-devices'), currentTarget)}
          >
            {words.stopTrustingAll}
          </button>
        </div>
      )}
    </Section>
  )
}
