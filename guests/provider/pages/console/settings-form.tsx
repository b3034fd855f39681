import { useState } from 'preact/hooks'
import { useConsole } from '../../../../pages/console/console.js'
import { RoleChoice } from '../../../../pages/console/users/role-choice.js'
import { useUnsaved } from '../../../../pages/shared/ask/unsaved.js'
import { Field } from '../../../../pages/shared/form/field.js'
import { Form } from '../../../../pages/shared/form/use-form.js'
import { AccessTenants } from './access.js'
import { AddressField, addressesOf } from './address-field.js'
import { atField } from './at-field.js'
import { Box } from './box.js'
import { ForwardFields, forwardChange } from './forward-fields.js'
import { OpenIdFields, openIdChange } from './openid-fields.js'
import { orNull, type Application, type Change } from './values.js'
import { words } from './words.js'

interface SettingsFormProps {
  application: Application
  /** Throws why it did not work. */
  onSave: (change: Change) => Promise<unknown>
  onDiscard: () => void
}

/** Everything of an application that can be changed. */
export const SettingsForm = ({ application, onSave, onDiscard }: SettingsFormProps) => {
  const { me } = useConsole()
  const { access, tenantId, tenantName, type } = application
  const [tenants, setTenants] = useState<readonly number[]>(access.tenants)
  const [roles, setRoles] = useState<readonly string[]>(access.roles)
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged)
  const isForward = type === 'forward'
  // A host belongs to the proxies of the installation: the server takes none from who sees one tenant only.
  const mayAddress = !isForward || me.admin
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setChanged(true)
    }
  const save = async (values: Record<string, string>) => {
    try {
      await onSave({
        name: values['name'] ?? '',
        homeUrl: orNull(values['homeUrl']),
        ...(mayAddress && addressesOf(type, values)),
        access: { tenants: [...tenants], roles: [...roles] },
        minAcr: values['factor'] === undefined ? 'aal1' : 'aal2',
        ...(isForward ? forwardChange(application, values) : openIdChange(application, values)),
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
        {mayAddress && <AddressField type={type} application={application} />}
        <h3>{words.who}</h3>
        <p class="hint">{isForward ? words.whoForwardHint : words.whoHint}</p>
        {me.admin && <AccessTenants own={tenantName} chosen={tenants} onChange={changed(setTenants)} />}
        <RoleChoice tenantId={tenants[0] ?? tenantId} chosen={roles} onChange={changed(setRoles)} />
        <Box name="factor" label={words.factor} checked={application.minAcr === 'aal2'} />
        {isForward ? <ForwardFields application={application} /> : <OpenIdFields application={application} />}
      </Form>
    </div>
  )
}
