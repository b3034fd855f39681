import { Notice } from '../../shared/frame/notice.js'
import { Loading } from '../../shared/frame/loading.js'
import { dateAndTime } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { addressOf, useAccount } from '../account.js'
import { words } from '../words.js'
import { Apps } from './apps.js'
import { FirstCodes, useFirstCodes } from './first-codes.js'
import { Passkeys } from './passkeys.js'
import { RecoverySection } from './recovery-section.js'
import { TrustedDevices } from './trusted-devices.js'

/** Password, second factors and trusted devices. */
export const Security = () => {
  const { config } = useAccount()
  const factors = useLoaded(() => request('GET /auth/factors'))
  const codes = useFirstCodes()
  return (
    <Page branding={config} title={words.security}>
      <Section heading={words.password} hint={words.passwordHint}>
        <ul class="items">
          <li>
            <div class="what">
              <p>{words.password}</p>
            </div>
            <a class="button" href={addressOf('password')} aria-label={words.changePassword}>
              {words.change}
            </a>
          </li>
        </ul>
      </Section>
      <Loading of={factors}>
        {(own) => {
          const props = { own, reload: factors.reload, onCodes: codes.show }
          return (
            <>
              {own.deadline !== null && own.factors.length === 0 && (
                <Notice kind="warn">{words.deadline(dateAndTime(new Date(own.deadline)))}</Notice>
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
      <FirstCodes {...codes} />
    </Page>
  )
}
