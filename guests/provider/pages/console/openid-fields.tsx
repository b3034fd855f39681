import { useConsole } from '../../../../pages/console/console.js'
import { Field, TextAreaField } from '../../../../pages/shared/form/field.js'
import { SelectField } from '../../../../pages/shared/form/select-field.js'
import { Loading } from '../../../../pages/shared/frame/loading.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { request } from '../../../../pages/shared/session/entered.js'
import { useLoaded } from '../../../../pages/shared/use-loaded.js'
import { Box } from './box.js'
import { linesOf, orNull, type Application, type Change } from './values.js'
import { words } from './words.js'

/** `UserType` of a service account. */
const serviceType = 3

type Scope = Application['scopes'][number]

/** The accounts as which the application may get tokens: those of its tenant, and the one that it has. */
const ServiceAccount = ({ application: { tenantId, serviceAccount } }: { application: Application }) => {
  const accounts = useLoaded(() =>
    request('GET /system/user/page', { query: { userType: serviceType, tenantId, pageSize: 100 } }),
  )
  return (
    <Loading of={accounts}>
      {({ records }) => {
        const known = records.map(({ id, username }) => [String(id), visible(username)] as const)
        const current = serviceAccount === null ? '' : String(serviceAccount)
        const isThere = current === '' || known.some(([id]) => id === current)
        return (
          <SelectField
            name="serviceAccount"
            label={words.account}
            hint={words.accountHint}
            value={current}
            options={[['', words.noAccount], ...known, ...(isThere ? [] : [[current, `#${current}`] as const])]}
          />
        )
      }}
    </Loading>
  )
}

const Consent = ({ application }: { application: Application }) => (
  <SelectField
    name="consent"
    label={words.consent}
    value={application.consent}
    options={Object.entries(words.consents)}
  />
)

const Scopes = ({ application }: { application: Application }) => (
  <fieldset class="stack tight">
    <legend>{words.scopes}</legend>
    {Object.entries(words.scopeNames).map(([scope, text]) => (
      <Box key={scope} name={`scope-${scope}`} label={text} checked={application.scopes.includes(scope as Scope)} />
    ))}
    <Box name="unverifiedEmail" label={words.unverifiedEmail} checked={application.unverifiedEmail} />
  </fieldset>
)

const SignOut = ({ application }: { application: Application }) => (
  <>
    <h3>{words.signOut}</h3>
    <TextAreaField
      name="postLogoutRedirectUris"
      label={words.postLogout}
      hint={words.postLogoutHint}
      initial={application.postLogoutRedirectUris.join('\n')}
    />
    <Field
      name="backchannelLogoutUri"
      label={words.backchannel}
      hint={words.backchannelHint}
      autocomplete="off"
      required={false}
      initial={application.backchannelLogoutUri}
    />
  </>
)

const Protocol = ({ application }: { application: Application }) => (
  <>
    <h3>{words.protocol}</h3>
    <div class="pair">
      <SelectField
        name="refreshTokens"
        label={words.refresh}
        value={application.refreshTokens}
        options={Object.entries(words.refreshes)}
      />
      <SelectField
        name="idTokenAlgorithm"
        label={words.algorithm}
        value={application.idTokenAlgorithm}
        options={[
          ['RS256', 'RS256'],
          ['ES256', 'ES256'],
        ]}
      />
    </div>
    <div class="stack tight">
      {application.type === 'confidential' && (
        <Box name="pkce" label={words.pkce} checked={application.pkce === 'optional'} />
      )}
      <Box name="minimalIdToken" label={words.minimal} checked={application.minimalIdToken} />
    </div>
  </>
)

/** What only an application has that signs people in by OpenID Connect, but for its redirect URIs. */
export const OpenIdFields = ({ application }: { application: Application }) => {
  const { may } = useConsole()
  const { type } = application
  return (
    <>
      {type !== 'native' && <Consent application={application} />}
      <Scopes application={application} />
      <SignOut application={application} />
      <h3>{words.services}</h3>
      <TextAreaField
        name="resources"
        label={words.resources}
        hint={words.resourcesHint}
        initial={application.resources.join('\n')}
      />
      {type === 'confidential' && may('system:user:list') && <ServiceAccount application={application} />}
      <Protocol application={application} />
    </>
  )
}

/** What these fields say, as settings. */
export const openIdChange = ({ type }: Application, values: Record<string, string>): Change => {
  const others = Object.keys(words.scopeNames) as Scope[]
  const { consent, serviceAccount, refreshTokens, idTokenAlgorithm } = values
  return {
    postLogoutRedirectUris: linesOf(values['postLogoutRedirectUris']),
    backchannelLogoutUri: orNull(values['backchannelLogoutUri']),
    ...(consent !== undefined && { consent: consent as Application['consent'] }),
    scopes: ['openid', ...others.filter((scope) => values[`scope-${scope}`] !== undefined)],
    unverifiedEmail: values['unverifiedEmail'] !== undefined,
    refreshTokens: refreshTokens as Application['refreshTokens'],
    idTokenAlgorithm: idTokenAlgorithm as Application['idTokenAlgorithm'],
    resources: linesOf(values['resources']),
    ...(serviceAccount !== undefined && { serviceAccount: serviceAccount === '' ? null : Number(serviceAccount) }),
    minimalIdToken: values['minimalIdToken'] !== undefined,
    ...(type === 'confidential' && { pkce: values['pkce'] === undefined ? 'required' : 'optional' }),
  }
}
