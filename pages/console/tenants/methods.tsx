import { useState } from 'preact/hooks'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { Form } from '../../shared/form/use-form.js'
import { Loading } from '../../shared/frame/loading.js'
import { Name } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import type { Outcome } from '../../shared/shell/outcome.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import type { Operations } from '../../../client/index.js'
import { words } from '../words.js'
import type { Tenant } from './rights.js'

type Methods = Operations['GET /system/tenant/{id}/methods']['data']['methods']

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
    <Form submit={words.tenants.saveMethods} onSubmit={() => onSave(changed)}>
      <fieldset class="stack tight">
        <legend class="sr">{words.tenants.signInMethods}</legend>
        {draft.map(({ name, enabled }) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              checked={enabled}
              onChange={({ currentTarget: { checked } }) =>
                setDraft(draft.map((method) => (method.name === name ? { name, enabled: checked } : method)))
              }
            />
            <span>
              <Name text={words.tenants.methods(name)} />
            </span>
          </label>
        ))}
      </fieldset>
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
