import { useState } from 'preact/hooks'
import { Notice } from '../../shared/frame/notice.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { Section } from '../../shared/shell/shell.js'
import { EnrolApp, type Enrolment } from '../../shared/factors/enrol-app.js'
import { say } from '../../shared/frame/status-line.js'
import { words } from '../words.js'
import { FactorRow } from './factor-row.js'
import type { PartProps } from './parts.js'

/** The authenticator apps of the account. */
export const Apps = ({ own, reload, onCodes }: PartProps) => {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [problem, setProblem] = useState<string>()
  const apps = own.factors.filter(({ kind }) => kind === 'totp')
  const begin = () => {
    setProblem(undefined)
    request('POST /auth/factors/totp', { body: {} }).then(setEnrolment, (error: unknown) =>
      setProblem(toFault(error).message),
    )
  }
  return (
    <Section heading={words.apps} hint={words.appsHint}>
      {apps.length > 0 && (
        <ul class="items">
          {apps.map((factor) => (
            <FactorRow factor={factor} reload={reload} key={factor.id} />
          ))}
        </ul>
      )}
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
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
            say(words.appAdded)
            reload()
            if (recoveryCodes) onCodes(recoveryCodes)
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
