import { useState } from 'preact/hooks'
import type { Operations } from '../../../../client/index.js'
import { useConsole } from '../../../../pages/console/console.js'
import { RoleChoice } from '../../../../pages/console/users/role-choice.js'
import { useUnsaved } from '../../../../pages/shared/ask/unsaved.js'
import { Loading } from '../../../../pages/shared/frame/loading.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { request } from '../../../../pages/shared/session/entered.js'
import { useLoaded } from '../../../../pages/shared/use-loaded.js'
import { Field, TextAreaField } from '../../../../pages/shared/form/field.js'
import { SelectField } from '../../../../pages/shared/form/select-field.js'
import { Form } from '../../../../pages/shared/form/use-form.js'
import { Refusal, toFault } from '../../../../pages/shared/session/fault.js'
import { AccessTenants } from './access.js'
import { linesOf, type Application } from './values.js'
import { words } from './words.js'

export type Change = Operations['PATCH /system/client/{id}']['body']
/** `UserType` of a service account. */
const serviceType = 3

type Scope = Application['scopes'][number]

/** The server names an address by its place in the list, and who may use it by its part; the page has one field for each. */
const atField = (error: unknown): unknown => {
  const { message, fields } = toFault(error)
  const named = Object.entries(fields).map(([field, text]) => [
    field === 'access.roles' ? 'roleKeys' : field.replace(/\.\d+$/, ''),
    text,
  ])
  return named.length === 0 ? error : new Refusal(message, Object.fromEntries(named) as Record<string, string>)
}

const Box = ({ name, label, checked }: { name: string; label: string; checked: boolean }) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={checked} />
    <span>{label}</span>
  </label>
)

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

interface SettingsFormProps {
  application: Application
  /** Throws why it did not work. */
  onSave: (change: Change) => Promise<unknown>
  onDiscard: () => void
}

/** Everything of an application that can be changed. */
export const SettingsForm = ({ application, onSave, onDiscard }: SettingsFormProps) => {
  const { me, may } = useConsole()
  const { access, tenantId, tenantName, type } = application
  const [tenants, setTenants] = useState<readonly number[]>(access.tenants)
  const [roles, setRoles] = useState<readonly string[]>(access.roles)
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged)
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setChanged(true)
    }
  const save = async (values: Record<string, string>) => {
    const others = Object.keys(words.scopeNames) as Scope[]
    const orNull = (text = '') => (text.trim() === '' ? null : text.trim())
    try {
      await onSave({
        name: values['name'] ?? '',
        homeUrl: orNull(values['homeUrl']),
        redirectUris: linesOf(values['redirectUris']),
        postLogoutRedirectUris: linesOf(values['postLogoutRedirectUris']),
        backchannelLogoutUri: orNull(values['backchannelLogoutUri']),
        access: { tenants: [...tenants], roles: [...roles] },
        minAcr: values['factor'] === undefined ? 'aal1' : 'aal2',
        ...(values['consent'] !== undefined && { consent: values['consent'] as Application['consent'] }),
        scopes: ['openid', ...others.filter((scope) => values[`scope-${scope}`] !== undefined)],
        unverifiedEmail: values['unverifiedEmail'] !== undefined,
        refreshTokens: values['refreshTokens'] as Application['refreshTokens'],
        idTokenAlgorithm: values['idTokenAlgorithm'] as Application['idTokenAlgorithm'],
        resources: linesOf(values['resources']),
        ...(values['serviceAccount'] !== undefined && {
          serviceAccount: values['serviceAccount'] === '' ? null : Number(values['serviceAccount']),
        }),
        minimalIdToken: values['minimalIdToken'] !== undefined,
        ...(type === 'confidential' && { pkce: values['pkce'] === undefined ? 'required' : 'optional' }),
      })
    } catch (error) {
      throw atField(error)
    }
  }
  return (
    <div onInput={() => setChanged(true)}>
      <Form
        submit={words.save}
        onSubmit={save}
        after={
          isChanged && (
            <button type="button" class="quiet" onClick={onDiscard}>
              {words.discard}
            </button>
          )
        }
      >
        <div class="pair">
          <Field name="name" label={words.name} autocomplete="off" initial={application.name} />
          <Field
            name="homeUrl"
            label={words.homeUrl}
            autocomplete="off"
            required={false}
            initial={application.homeUrl}
          />
        </div>
        <TextAreaField
          name="redirectUris"
          label={words.redirectUris}
          hint={words.redirectUrisHint}
          initial={application.redirectUris.join('\n')}
        />
        <h3>{words.who}</h3>
        <p class="hint">{words.whoHint}</p>
        {me.admin && <AccessTenants own={tenantName} chosen={tenants} onChange={changed(setTenants)} />}
        <RoleChoice tenantId={tenants[0] ?? tenantId} chosen={roles} onChange={changed(setRoles)} />
        <Box name="factor" label={words.factor} checked={application.minAcr === 'aal2'} />
        {type !== 'native' && (
          <SelectField
            name="consent"
            label={words.consent}
            value={application.consent}
            options={Object.entries(words.consents)}
          />
        )}
        <fieldset class="stack tight">
          <legend>{words.scopes}</legend>
          {Object.entries(words.scopeNames).map(([scope, text]) => (
            <Box
              key={scope}
              name={`scope-${scope}`}
              label={text}
              checked={application.scopes.includes(scope as Scope)}
            />
          ))}
          <Box name="unverifiedEmail" label={words.unverifiedEmail} checked={application.unverifiedEmail} />
        </fieldset>
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
        <h3>{words.services}</h3>
        <TextAreaField
          name="resources"
          label={words.resources}
          hint={words.resourcesHint}
          initial={application.resources.join('\n')}
        />
        {type === 'confidential' && may('system:user:list') && <ServiceAccount application={application} />}
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
          {type === 'confidential' && <Box name="pkce" label={words.pkce} checked={application.pkce === 'optional'} />}
          <Box name="minimalIdToken" label={words.minimal} checked={application.minimalIdToken} />
        </div>
      </Form>
    </div>
  )
}
