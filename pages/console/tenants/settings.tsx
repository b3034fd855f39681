import { useState } from 'preact/hooks'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { Field } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { Section } from '../../shared/shell/shell.js'
import { FactorBox } from '../factor-box.js'
import { words } from '../words.js'
import type { Tenant } from './rights.js'

export type Settings = Pick<Tenant, 'name' | 'secondFactorRequired'>

interface TenantSettingsProps {
  tenant: Tenant
  /** Whether the person has no second factor. */
  lacksFactor: boolean
  /** Throws why it did not work. */
  onSave: (settings: Settings) => Promise<unknown>
}

/** Name and second factor of a tenant. */
export const TenantSettings = ({ tenant, lacksFactor, onSave }: TenantSettingsProps) => {
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged)
  return (
    <Section heading={words.tenants.settings} hint={words.tenants.settingsHint}>
      <div onInput={() => setChanged(true)}>
        <Form
          submit={words.tenants.save}
          onSubmit={async ({ name = '', factor }) => {
            await onSave({ name, secondFactorRequired: factor !== undefined })
            setChanged(false)
          }}
        >
          <Field
            name="name"
            label={words.tenants.name}
            hint={words.tenants.nameHint}
            autocomplete="off"
            initial={tenant.name}
          />
          <FactorBox
            label={words.tenants.factorRequired}
            hint={words.tenants.factorHint}
            isRequired={tenant.secondFactorRequired}
            lacksFactor={lacksFactor}
          />
        </Form>
      </div>
    </Section>
  )
}
