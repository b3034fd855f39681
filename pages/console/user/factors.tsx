import { useState } from 'preact/hooks'
import { Item } from '../../shared/frame/item.js'
import { Loading } from '../../shared/frame/loading.js'
import { date, dateAndTime } from '../../shared/language/language.js'
import { deviceName } from '../../shared/language/device-name.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import type { UserFactors } from '../../../client/index.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { OwnAccount } from './profile.js'
import { Exemption } from './exemption.js'
import { ResetFactors } from './reset-factors.js'
import type { TabProps } from './user-page.js'

const FactorItem = ({ factor }: { factor: UserFactors['factors'][number] }) => {
  const { kind, name, createTime, lastUsedTime } = factor
  const facts = [
    words.user.factorKinds[kind],
    words.user.added(dateAndTime(new Date(createTime))),
    lastUsedTime === null ? words.user.neverUsed : words.user.lastUsed(dateAndTime(new Date(lastUsedTime))),
  ]
  return <Item name={<Name text={name} />} facts={facts.join(' · ')} />
}

const Devices = ({ devices }: { devices: UserFactors['trustedDevices'] }) => (
  <Section heading={words.user.trustedDevices} hint={words.user.trustedDevicesHint}>
    {devices.length === 0 && <p class="muted">{words.user.noDevices}</p>}
    <ul class="items">
      {devices.map(({ id, userAgent, address, expiry }) => (
        <Item
          key={id}
          title={visible(userAgent)}
          name={deviceName(userAgent)}
          facts={[...(address === undefined ? [] : [address]), words.user.until(date(new Date(expiry)))].join(' · ')}
        />
      ))}
    </ul>
  </Section>
)

/** The second factors of a user, and what the policy asks for. */
export const Factors = (props: TabProps) => {
  const { user, reload, outcome } = props
  const { me, may, mayChange } = useConsole()
  const mayReset = mayChange(user) && may('system:user:reset')
  const factors = useLoaded(() => request('GET /system/user/{id}/factors', { path: { id: user.id } }))
  const [isOpen, setOpen] = useState(false)
  return (
    <Loading of={factors}>
      {(known) => (
        <>
          <Section heading={words.user.factors} hint={words.user.factorsHint}>
            {known.factors.length === 0 && <p class="muted">{words.user.noFactors}</p>}
            {me.userId === user.id && <OwnAccount page="/security" />}
            <ul class="items">
              {known.factors.map((factor) => (
                <FactorItem factor={factor} key={factor.id} />
              ))}
            </ul>
            {known.factors.length > 0 && <p>{words.user.codesLeft(known.recoveryCodesLeft)}</p>}
            {known.factors.length > 0 && mayReset && (
              <div>
                <button class="danger" onClick={() => setOpen(true)}>
                  {words.user.resetFactors}
                </button>
              </div>
            )}
          </Section>
          <Section heading={words.user.policy}>
            <p>{words.user.policies[known.policy]}</p>
            {known.deadline !== null && known.factors.length === 0 && (
              <p>{words.user.deadline(dateAndTime(new Date(known.deadline)))}</p>
            )}
            <Exemption {...props} policy={known.policy} isExempt={known.exempt} onChanged={factors.reload} />
          </Section>
          <Devices devices={known.trustedDevices} />
          {isOpen && (
            <ResetFactors
              user={user}
              onClose={() => setOpen(false)}
              onDone={async () => {
                setOpen(false)
                factors.set({ ...known, factors: [], recoveryCodesLeft: 0, trustedDevices: [] })
                outcome.tell(words.user.factorsReset)
                await reload()
              }}
            />
          )}
        </>
      )}
    </Loading>
  )
}
