import { sentences } from '../../shared/language/language.js'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { Field } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { visible } from '../../shared/language/visible.js'
import { Refusal, toFault } from '../../shared/session/fault.js'
import { FactorBox } from '../factor-box.js'
import { words } from '../words.js'
import { PermissionEditor } from './permission-editor.js'
import { linesOf, splitPermissions } from './permissions.js'
import { useRoleRights, type Role } from './rights.js'

export type Draft = Pick<Role, 'key' | 'name' | 'permissions' | 'secondFactorRequired'>

/** The server names a permission by its place in the list; the page has one field for all that can be wrong. */
const atField = (error: unknown, sent: readonly string[]): unknown => {
  const { message, fields } = toFault(error)
  const isOf = (field: string) => /^permissions(\.\d+)?$/.test(field)
  const found = Object.entries(fields).filter(([field]) => isOf(field))
  if (found.length === 0) return error
  const texts = found.map(([field, text]) => {
    const permission = sent[Number(field.split('.')[1])]
    return permission === undefined ? text : words.roles.atPermission(visible(permission), text)
  })
  const others = Object.entries(fields).filter(([field]) => !isOf(field))
  return new Refusal(message, { ...Object.fromEntries(others), further: sentences(...texts) })
}

interface RoleFormProps {
  /** Absent for one to add. */
  role?: Role | undefined
  /** Whether the person has no second factor. */
  lacksFactor: boolean
  submit: string
  /** Throws why it did not work. */
  onSubmit: (draft: Draft) => Promise<unknown>
  /** Below the name. */
  children?: ComponentChildren
  /** Beside the button. */
  after: (isChanged: boolean) => ComponentChildren
}

/** The fields of a role. */
export const RoleForm = ({ role, lacksFactor, submit, onSubmit, children, after }: RoleFormProps) => {
  const { isBound, mayRequireFactor } = useRoleRights()
  const [initial] = useState(() => splitPermissions(role?.permissions ?? []))
  const initialFurther = initial.further.join('\n')
  const [ticked, setTicked] = useState<readonly string[]>(initial.ticked)
  const [further, setFurther] = useState(initialFurther)
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged)
  return (
    <div onInput={() => setChanged(true)}>
      <Form
        submit={submit}
        onSubmit={async ({ key = '', name = '', factor }) => {
          const permissions = [...new Set([...ticked, ...linesOf(further)])]
          try {
            await onSubmit({ key, name, permissions, secondFactorRequired: factor !== undefined })
          } catch (error) {
            throw atField(error, permissions)
          }
        }}
        after={after(isChanged)}
      >
        <div class="pair">
          <Field
            name="name"
            label={words.roles.name}
            autocomplete="off"
            initial={role?.name}
            first={role === undefined}
          />
          <Field
            name="key"
            label={words.roles.key}
            hint={role ? words.roles.keyFixed : words.roles.keyHint}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            initial={role?.key}
            readOnly={role !== undefined}
          />
        </div>
        {children}
        {mayRequireFactor && (
          <FactorBox
            label={words.roles.factorRequired}
            hint={words.roles.factorHint}
            isRequired={role?.secondFactorRequired}
            lacksFactor={lacksFactor}
          />
        )}
        <div class="stack tight">
          <h2>{words.roles.grants}</h2>
          <p class="hint">{sentences(words.roles.immediate, isBound && words.roles.bound)}</p>
        </div>
        <PermissionEditor
          ticked={ticked}
          further={further}
          initialFurther={initialFurther}
          onTick={(isTicked, ...permissions) => {
            setChanged(true)
            setTicked((before) => [
              ...before.filter((another) => !permissions.includes(another)),
              ...(isTicked ? permissions : []),
            ])
          }}
          onFurther={setFurther}
        />
      </Form>
    </div>
  )
}
