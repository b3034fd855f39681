import { useState } from 'preact/hooks'
import { Field } from '../../shared/form/field.js'
import { SelectField } from '../../shared/form/select-field.js'
import { Form } from '../../shared/form/use-form.js'
import { Notice } from '../../shared/frame/notice.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'
import { Picture } from './picture.js'

const genders = [0, 2, 1] as const

/** Name, gender and picture, which the person changes without anybody's help. */
export const You = () => {
  const { me, setMe } = useAccount()
  const [isChanged, setChanged] = useState(false)
  const [before, setBefore] = useState<{ realName: string; gender: 0 | 1 | 2 }>()
  useUnsaved(isChanged)

  const save = async (body: { realName: string; gender: 0 | 1 | 2 }, undo?: typeof body) => {
    setMe(await request('PATCH /auth/profile', { body }))
    setChanged(false)
    setBefore(undo)
  }

  return (
    <Section heading={words.you} hint={words.youHint}>
      <Picture />
      {before && (
        <Notice kind="good">
          {words.saved}{' '}
          <button class="link" onClick={() => void save(before)}>
            {words.undo}
          </button>
        </Notice>
      )}
      <div onInput={() => setChanged(true)} key={`${me.realName} ${me.gender}`}>
        <Form
          submit={words.save}
          busy={words.saving}
          onSubmit={({ realName = '', gender = '0' }) =>
            save({ realName, gender: Number(gender) as 0 | 1 | 2 }, { realName: me.realName, gender: me.gender })
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
            hint={words.usernameHint}
            autocomplete="off"
            initial={me.username}
            readOnly
          />
        </Form>
      </div>
    </Section>
  )
}
