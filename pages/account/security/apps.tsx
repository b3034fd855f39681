import { useState } from 'preact/hooks'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { EnrolApp, type Enrolment } from '../../shared/factors/enrol-app.js'
import { words } from '../words.js'
import { FactorRow } from './factor-row.js'
import type { PartProps } from './parts.js'

/** The authenticator apps of the account. */
export const Apps = ({ own, reload, outcome, onAdded }: PartProps) => {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const apps = own.factors.filter(({ kind }) => kind === 'totp')
  const begin = () => {
    outcome.clear()
    request('POST /auth/factors/totp', { body: {} }).then(setEnrolment, outcome.fail)
  }
  return (
    <Section heading={words.apps} hint={words.appsHint}>
      {apps.length > 0 && (
        <ul class="items">
          {apps.map((factor) => (
            <FactorRow factor={factor} reload={reload} outcome={outcome} key={factor.id} />
          ))}
        </ul>
      )}
      {enrolment ? (
        <EnrolApp
          enrolment={enrolment}
          submit={words.addApp}
          onCancel={() => setEnrolment(undefined)}
          confirm={async (code) => {
            const { recoveryCodes } = await request('POST /auth/factors/totp/confirm', {
              body: { key: enrolment.key, code, name: words.app },
            })
            setEnrolment(undefined)
            onAdded(words.appAdded, recoveryCodes)
          }}
        />
      ) : (
        own.policy !== 'off' && (
          <div>
            <button onClick={begin}>{words.addApp}</button>
          </div>
        )
      )}
    </Section>
  )
}
