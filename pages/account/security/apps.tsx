import { useState } from 'preact/hooks'
import { Field } from '../../shared/form/field.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { EnrolApp, type Enrolment } from '../../shared/factors/enrol-app.js'
import { words } from '../words.js'
import { FactorRow } from './factor-row.js'
import type { PartProps } from './parts.js'

/** "Authenticator app", or with the first number that no other app has. */
const suggestedName = (taken: readonly string[]): string => {
  const names = [words.app, ...taken.map((_, at) => `${words.app} ${at + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? words.app
}

/** The authenticator apps of the account. */
export const Apps = ({ own, reload, outcome, onAdded, onRemoved }: PartProps) => {
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
      {enrolment ? (
        <EnrolApp
          enrolment={enrolment}
          submit={words.addApp}
          onCancel={() => setEnrolment(undefined)}
          confirm={async (code, { name = '' }) => {
            const { recoveryCodes } = await request('POST /auth/factors/totp/confirm', {
              body: { key: enrolment.key, code, name },
            })
            setEnrolment(undefined)
            onAdded(words.appAdded, recoveryCodes)
          }}
        >
          <Field
            name="name"
            label={words.factorName}
            hint={words.appNameHint}
            autocomplete="off"
            initial={suggestedName(apps.map(({ name }) => name))}
          />
        </EnrolApp>
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
