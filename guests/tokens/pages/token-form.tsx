import { useState } from 'preact/hooks'
import { Field, TextAreaField } from '../../../pages/shared/form/field.js'
import { SelectField } from '../../../pages/shared/form/select-field.js'
import { Form } from '../../../pages/shared/form/use-form.js'
import { Refusal } from '../../../pages/shared/session/fault.js'
import { frame } from '../../../pages/shared/language/frame-words.js'
import type { Right } from './rights.js'
import type { Made } from './token-list.js'
import { words } from './words.js'

export interface Wanted {
  name: string
  days: number
  permissions?: string[]
  addresses?: string[]
}

interface TokenFormProps {
  /** What the owner may, as far as the page can know. */
  rights: readonly Right[]
  make: (wanted: Wanted) => Promise<Made>
  onMade: (made: Made) => void
  onCancel: () => void
}

const periods = [7, 30, 90, 365]

const linesOf = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What a new token is to be. */
export const TokenForm = ({ rights, make, onMade, onCancel }: TokenFormProps) => {
  const [wantsAll, setAll] = useState(false)
  // Whoever may not see the roles of the owner cannot choose among what they grant.
  const isAll = wantsAll || rights.length === 0
  const [chosen, setChosen] = useState<readonly string[]>([])
  const tick = (name: string, isTicked: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== name), ...(isTicked ? [name] : [])])
  return (
    <Form
      label={words.add}
      submit={words.make}
      onSubmit={async ({ name = '', days = '', addresses }) => {
        if (!isAll && chosen.length === 0) throw new Refusal(words.chooseSome)
        const lines = linesOf(addresses)
        onMade(
          await make({
            name,
            days: Number(days),
            ...(!isAll && { permissions: [...chosen] }),
            ...(lines.length > 0 && { addresses: lines }),
          }),
        )
      }}
      after={
        <button type="button" onClick={onCancel}>
          {frame.cancel}
        </button>
      }
    >
      <Field name="name" label={words.name} hint={words.nameHint} autocomplete="off" first />
      <SelectField
        name="days"
        label={words.ends}
        value="90"
        options={periods.map((count) => [String(count), words.days(count)])}
      />
      <fieldset class="stack tight">
        <legend>{words.rights}</legend>
        {rights.length > 0 && (
          <label class="check">
            <input type="radio" name="rights" checked={!isAll} onInput={() => setAll(false)} />
            <span>{words.some}</span>
          </label>
        )}
        {!isAll && (
          <div class="stack tight">
            {rights.map(({ name, text }) => (
              <label class="check" key={name}>
                <input
                  type="checkbox"
                  name="permissions"
                  checked={chosen.includes(name)}
                  onInput={({ currentTarget }) => tick(name, currentTarget.checked)}
                />
                <span class="what">
                  {text ?? name}
                  {text !== undefined && (
                    <>
                      <br />
                      <span class="muted mono">{name}</span>
                    </>
                  )}
                </span>
              </label>
            ))}
          </div>
        )}
        <label class="check">
          <input type="radio" name="rights" checked={isAll} onInput={() => setAll(true)} />
          <span>{words.all}</span>
        </label>
      </fieldset>
      <TextAreaField name="addresses" label={words.addresses} hint={words.addressesHint} />
    </Form>
  )
}
