import { useState } from 'preact/hooks'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { Form, useFieldFault } from '../../shared/form/use-form.js'
import { Icon } from '../../shared/frame/icon.js'
import { Loading } from '../../shared/frame/loading.js'
import { Name } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Refusal, toFault } from '../../shared/session/fault.js'
import type { Outcome } from '../../shared/shell/outcome.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import type { Operations } from '../../../client/index.js'
import { words } from '../words.js'
import type { Tenant } from './rights.js'

type Methods = Operations['GET /system/tenant/{id}/methods']['data']['methods']

interface BoxesProps {
  methods: Methods
  onChange: (methods: Methods) => void
}

/** A check box for each; violations of `methods` stand here. */
const Boxes = ({ methods, onChange }: BoxesProps) => {
  const fault = useFieldFault('methods').text
  return (
    <fieldset class="stack tight" name="methods">
      <legend class="sr">{words.tenants.signInMethods}</legend>
      {methods.map(({ name, enabled }, at) => (
        <label class="check" key={name}>
          <input
            type="checkbox"
            checked={enabled}
            // The first one takes the focus.
            {...(fault !== undefined && at === 0 && { 'aria-invalid': true, 'aria-describedby': 'methods-fault' })}
            onChange={({ currentTarget: { checked } }) =>
              onChange(methods.map((method) => (method.name === name ? { name, enabled: checked } : method)))
            }
          />
          <span>
            <Name text={words.tenants.methods(name)} />
          </span>
        </label>
      ))}
      {fault !== undefined && (
        <p class="error" id="methods-fault">
          <Icon name="alert" /> <span>{fault}</span>
        </p>
      )}
    </fieldset>
  )
}

/** A tenant keeps one method: that is all that the service can refuse of boxes that it has offered. */
const atBoxes = (error: unknown): unknown =>
  toFault(error).fields['methods'] === undefined ? error : new Refusal('', { methods: words.tenants.keepOne })

interface ChoiceProps {
  methods: Methods
  /** Throws why it did not work. */
  onSave: (changed: Methods) => Promise<void>
}

const Choice = ({ methods, onSave }: ChoiceProps) => {
  const [draft, setDraft] = useState(methods)
  const changed = draft.filter(({ enabled }, at) => enabled !== methods[at]?.enabled)
  useUnsaved(changed.length > 0)
  return (
    <Form
      submit={words.tenants.saveMethods}
      onSubmit={async () => {
        try {
          await onSave(changed)
        } catch (error) {
          throw atBoxes(error)
        }
      }}
    >
      <Boxes methods={draft} onChange={setDraft} />
    </Form>
  )
}

interface TenantMethodsProps {
  tenant: Tenant
  outcome: Outcome
}

/** By which methods the users of a tenant may sign in. Only what was changed is sent. */
export const TenantMethods = ({ tenant: { id }, outcome }: TenantMethodsProps) => {
  const [version, setVersion] = useState(0)
  const loaded = useLoaded(() => request('GET /system/tenant/{id}/methods', { path: { id } }))
  const save = async (methods: Methods) => {
    loaded.set(await request('PUT /system/tenant/{id}/methods', { path: { id }, body: { methods } }))
    setVersion((before) => before + 1)
  }
  return (
    <Section heading={words.tenants.signInMethods} hint={words.tenants.methodsHint}>
      <Loading of={loaded}>
        {({ methods }) => (
          <Choice
            key={version}
            methods={methods}
            onSave={async (changed) => {
              await save(changed)
              outcome.tell(words.tenants.methodsSaved, () =>
                save(changed.map(({ name, enabled }) => ({ name, enabled: !enabled }))),
              )
            }}
          />
        )}
      </Loading>
    </Section>
  )
}
