import { useState } from 'preact/hooks'
import { Field } from '../../shared/form/field.js'
import { SelectField } from '../../shared/form/select-field.js'
import { Form } from '../../shared/form/use-form.js'
import { frame } from '../../shared/language/frame-words.js'
import { request } from '../../shared/session/entered.js'
import type { Outcome } from '../../shared/shell/outcome.js'
import { Section } from '../../shared/shell/shell.js'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { mayEditOthers, useAccount } from '../account.js'
import { words } from '../words.js'
import { Picture } from './picture.js'

const genders = [0, 2, 1] as const

/** Name, gender and picture, which the person changes without anybody's help. */
export const You = ({ outcome }: { outcome: Outcome }) => {
  const { me, setMe } = useAccount()
  const [isChanged, setChanged] = useState(false)
  const [isSame, setSame] = useState(false)
  useUnsaved(isChanged)

  const save = async (body: { realName: string; gender: 0 | 1 | 2 }) => {
    setMe(await request('PATCH /auth/profile', { body }))
    setChanged(false)
  }

  return (
    <Section heading={words.you} hint={words.youHint}>
      <Picture outcome={outcome} />
      <div
        onInput={() => {
          setChanged(true)
          setSame(false)
        }}
        key={`${me.realName} ${me.gender}`}
      >
        <Form
          submit={words.save}
          busy={words.saving}
          onSubmit={async ({ realName = '', gender = '0' }) => {
            const body = { realName, gender: Number(gender) as 0 | 1 | 2 }
            const known = { realName: me.realName, gender: me.gender }
            const isUnchanged = realName === known.realName && body.gender === known.gender
            setSame(isUnchanged)
            if (isUnchanged) {
              setChanged(false)
              return
            }
            await save(body)
            outcome.tell(words.saved, () => save(known))
          }}
          after={
            <span class="muted" role="status">
              {isSame && frame.notChanged}
            </span>
          }
        >
          <div class="pair">
            <Field name="realName" label={words.name} autocomplete="name" initial={me.realName} required={false} />
            <SelectField
              name="gender"
              label={words.gender}
              value={String(me.gender)}
              options={genders.map((gender) => [String(gender), words.genders[gender]])}
            />
          </div>
          <Field
            name="username"
            label={words.username}
            hint={mayEditOthers(me) ? words.usernameHintOfEditor : words.usernameHint}
            autocomplete="off"
            initial={me.username}
            readOnly
          />
        </Form>
      </div>
    </Section>
  )
}
