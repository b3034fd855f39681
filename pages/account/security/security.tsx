import { useState } from 'preact/hooks'
import { Item } from '../../shared/frame/item.js'
import { Notice } from '../../shared/frame/notice.js'
import { Loading } from '../../shared/frame/loading.js'
import { date, dateAndTime, sentences } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { nameOf } from '../../shared/frame/branding.js'
import { RecoveryCodes } from '../../shared/frame/recovery-codes.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { addressOf, useAccount } from '../account.js'
import { words } from '../words.js'
import { Apps } from './apps.js'
import { Passkeys } from './passkeys.js'
import type { PartProps } from './parts.js'
import { RecoverySection } from './recovery-section.js'
import { TrustedDevices } from './trusted-devices.js'

/** New recovery codes, until the person says that they are kept. */
const FirstCodes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => {
  const { config, me } = useAccount()
  return (
    <Dialog title={words.keepCodes} onClose={() => undefined}>
      <p>{words.keepCodesHint}</p>
      <RecoveryCodes codes={codes} service={nameOf(config)} username={me.username} />
      <button class="primary" onClick={onKept}>
        {words.codesKept}
      </button>
    </Dialog>
  )
}

/** Password, second factors and trusted devices. */
export const Security = () => {
  const { config, me } = useAccount()
  const factors = useLoaded(() => request('GET /auth/factors'))
  const [shown, setShown] = useState<{ codes: readonly string[]; text?: string }>()
  const [isRecovered, setRecovered] = useState(location.hash === '#recovered')
  const outcome = useOutcome()
  const onRemoved = () => {
    factors.reload()
    // The last step of the advice to somebody who has used a recovery code: neither a reload nor the way back repeats it.
    if (isRecovered) history.replaceState(history.state, '', location.pathname + location.search)
    setRecovered(false)
  }
  const onAdded: PartProps['onAdded'] = (text, added) => {
    factors.reload()
    if (added) setShown({ codes: added, text })
    else outcome.tell(text)
  }
  return (
    <Page title={words.security}>
      {outcome.notice}
      <Section heading={words.password} hint={words.passwordHint}>
        <ul class="items">
          <Item
            name={words.password}
            facts={me.passwordTime === null ? undefined : words.changedOn(date(new Date(me.passwordTime)))}
          >
            <a class="button" href={addressOf('password')} aria-label={words.changePassword}>
              {words.change}
            </a>
          </Item>
        </ul>
      </Section>
      <Loading of={factors}>
        {(own) => {
          const props = {
            own,
            reload: factors.reload,
            outcome,
            onAdded,
            onRemoved,
            isRecovered,
            onCodes: (codes: readonly string[]) => setShown({ codes }),
          }
          return (
            <>
              {own.deadline !== null && own.factors.length === 0 && (
                <Notice kind="warn">{words.deadline(dateAndTime(new Date(own.deadline)))}</Notice>
              )}
              {isRecovered && own.factors.length > 0 && (
                <Notice kind="warn">{sentences(words.recovered(own.recoveryCodesLeft), words.lostDevice)}</Notice>
              )}
              {(config.passkeys !== null || own.factors.some(({ kind }) => kind === 'passkey')) && (
                <Passkeys {...props} />
              )}
              <Apps {...props} />
              {own.factors.length > 0 && <RecoverySection {...props} />}
              {own.trustedDevices.length > 0 && <TrustedDevices {...props} />}
            </>
          )
        }}
      </Loading>
      {shown && (
        <FirstCodes
          codes={shown.codes}
          onKept={() => {
            setShown(undefined)
            if (shown.text !== undefined) outcome.tell(shown.text)
          }}
        />
      )}
    </Page>
  )
}
