import { TextAreaField } from '../../../../pages/shared/form/field.js'
import { linesOf, type Application } from './values.js'
import { words } from './words.js'

type Type = Application['type']

interface AddressFieldProps {
  type: Type
  application?: Application
}

/** Where people are sent back to, or the hosts of an application that a proxy asks for. */
export const AddressField = ({ type, application }: AddressFieldProps) => {
  const [name, hint] =
    type === 'forward' ? (['hosts', words.hostsHint] as const) : (['redirectUris', words.redirectUrisHint] as const)
  // Another type begins with an empty field.
  return (
    <TextAreaField
      key={name}
      name={name}
      label={words[name]}
      hint={hint}
      initial={application?.[name].join('\n') ?? ''}
    />
  )
}

/** What the field says, as a setting. */
export const addressesOf = (type: Type, values: Record<string, string>) =>
  type === 'forward' ? { hosts: linesOf(values['hosts']) } : { redirectUris: linesOf(values['redirectUris']) }
