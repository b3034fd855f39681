import { useConsole } from '../../../../pages/console/console.js'
import { base } from '../../../../pages/shared/base.js'
import { CopyButton } from '../../../../pages/shared/frame/copy-button.js'
import { Fact } from '../../../../pages/shared/frame/fact.js'
import { Notice } from '../../../../pages/shared/frame/notice.js'
import { dateAndTime } from '../../../../pages/shared/language/language.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { Section } from '../../../../pages/shared/shell/shell.js'
import type { Application } from './values.js'
import { words } from './words.js'

interface NeedsProps {
  application: Application
  /** Absent where the person may make no new secret. */
  onNew: (() => void) | undefined
}

const CopiedFact = ({ name, text }: { name: string; text: string }) => (
  <Fact name={name}>
    <span class="line">
      <span class="what mono">{text}</span>
      <CopyButton text={text} />
    </span>
  </Fact>
)

const Secret = ({ application: { oldSecretUntil }, onNew }: NeedsProps) => (
  <Fact name={words.secret}>
    <span class="line">
      <span class="what">
        {oldSecretUntil === null ? words.hasSecret : words.oldUntil(dateAndTime(new Date(oldSecretUntil)))}
      </span>
      {onNew && (
        <button type="button" onClick={onNew}>
          {words.newSecret}
        </button>
      )}
    </span>
  </Fact>
)

const LastRefusal = ({ application: { lastError } }: { application: Application }) => (
  <Fact name={words.lastError}>
    {lastError ? words.refused(dateAndTime(new Date(lastError.time)), visible(lastError.message)) : words.noError}
  </Fact>
)

/** What the settings of the application ask for. */
const OpenIdNeeds = ({ application, onNew }: NeedsProps) => {
  const { config } = useConsole()
  // Applications compare it character by character with what they are given.
  const issuer = config.publicUrl ?? base.href.replace(/\/$/, '')
  return (
    <Section heading={words.needs}>
      <dl class="facts">
        <CopiedFact name={words.issuer} text={issuer} />
        <CopiedFact name={words.discovery} text={`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`} />
        <CopiedFact name={words.id} text={application.id} />
        {application.hasSecret && <Secret application={application} onNew={onNew} />}
        <Fact name={words.type}>{words.types[application.type]}</Fact>
        <LastRefusal application={application} />
      </dl>
      {application.pendingLogouts > 0 && <Notice kind="warn">{words.pending(application.pendingLogouts)}</Notice>}
    </Section>
  )
}

/** The application itself needs nothing, and the proxy in front of it has to ask. */
const ForwardNeeds = ({ application: { id, hosts, type } }: { application: Application }) => (
  <Section heading={words.needs}>
    <dl class="facts">
      <Fact name={words.hosts}>
        <ul class="mono what">
          {hosts.map((host) => (
            <li key={host}>{visible(host)}</li>
          ))}
        </ul>
      </Fact>
      <CopiedFact name={words.id} text={id} />
      <Fact name={words.type}>{words.types[type]}</Fact>
    </dl>
    <p class="hint">{words.proxyAsks('docs/protect-any-application.md')}</p>
  </Section>
)

/** What has to be set up outside of the service for an application. */
export const Needs = ({ application, onNew }: NeedsProps) =>
  application.type === 'forward' ? (
    <ForwardNeeds application={application} />
  ) : (
    <OpenIdNeeds application={application} onNew={onNew} />
  )
