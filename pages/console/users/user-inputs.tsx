import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Field, TextAreaField, type FieldProps } from '../../shared/form/field.js'
import { phoneHint } from '../../shared/form/phone-hint.js'
import { SelectField } from '../../shared/form/select-field.js'
import { Notice } from '../../shared/frame/notice.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import { service } from '../values.js'
import { RoleChoice } from './role-choice.js'

const genders = ['0', '2', '1'] as const
const types = ['0', '1', '2', '3'] as const

interface UserInputsProps {
  /** Not of a new user. */
  user?: { username: string; realName: string; phone: string | null; internationalPhone: string | null } & {
    email: string | null
    remark: string | null
  } & {
    userType: number
    gender: number
  }
  tenantId: number
  roleKeys: readonly string[]
  onRoles: (keys: string[]) => void
  /** Further attributes of both contacts. */
  contact?: Partial<FieldProps>
  /** Below the contacts. */
  password?: ComponentChildren
}

/** The inputs for a user, as it is added and as it is changed. */
export const UserInputs = ({ user, tenantId, roleKeys, onRoles, contact, password }: UserInputsProps) => {
  const { config, me, may } = useConsole()
  const { fields } = words.user
  const [type, setType] = useState(String(user?.userType ?? 2))
  const isService = Number(type) === service
  /** Nobody gives a type above the own. Administrators add service accounts, and an account never becomes one, nor a person. */
  const isGiven = (one: string) => {
    if (Number(one) === service) return user ? user.userType === service : me.userType < 2
    return Number(one) >= me.userType && user?.userType !== service
  }
  const given = types.filter(isGiven)
  return (
    <>
      <div class="pair">
        <Field
          name="username"
          label={user ? fields.username : words.users.required(fields.username)}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...(user ? { initial: user.username } : { first: true })}
        />
        <Field
          name="realName"
          label={fields.realName}
          autocomplete="off"
          initial={user?.realName ?? ''}
          required={user !== undefined}
        />
        {(isService ? [] : (['phone', 'email'] as const)).map((name) => (
          <Field
            key={name}
            name={name}
            label={fields[name]}
            type={name === 'phone' ? 'tel' : 'email'}
            autocomplete="off"
            initial={(name === 'phone' ? user?.internationalPhone : undefined) ?? user?.[name] ?? ''}
            required={false}
            hint={name === 'phone' ? phoneHint(config.phoneNumbers, words.users.phoneHint) : undefined}
            {...contact}
          />
        ))}
      </div>
      {!isService && password}
      <div class="pair">
        <SelectField
          name="userType"
          label={fields.userType}
          {...(isService ? { hint: words.users.serviceHint } : given.length > 1 && { hint: words.users.typeHint })}
          value={type}
          options={given.map((type) => [type, words.common.types[type]])}
          onChange={setType}
        />
        <SelectField
          name="gender"
          label={fields.gender}
          value={String(user?.gender ?? 0)}
          options={genders.map((gender) => [gender, words.common.genders[gender]])}
        />
      </div>
      <TextAreaField name="remark" label={fields.remark} initial={user?.remark ?? ''} />
      {Number(type) < 2 && roleKeys.length === 0 && may('system:role:list') && (
        <Notice kind="warn">{words.users.needsRole}</Notice>
      )}
      <RoleChoice key={tenantId} tenantId={tenantId} chosen={roleKeys} onChange={onRoles} />
    </>
  )
}
