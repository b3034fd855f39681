import { Fact } from '../../shared/frame/fact.js'
import { Name } from '../../shared/language/visible.js'
import { useConsole } from '../console.js'
import { words } from '../words.js'
import type { User } from './draft.js'

const nothing = () => <span class="muted">{words.user.none}</span>

/** The fields for those who may not change them. */
export const FieldTexts = ({ user }: { user: User }) => {
  const { me } = useConsole()
  const rows = [
    [words.user.fields.username, <Name text={user.username} />],
    [words.user.fields.realName, <Name text={user.realName} />],
    [words.user.fields.phone, user.internationalPhone ?? user.phone ?? nothing()],
    [words.user.fields.email, user.email === null ? nothing() : <Name text={user.email} />],
    [words.user.fields.userType, words.common.types[user.userType]],
    [words.user.fields.gender, words.common.genders[user.gender]],
    [words.user.fields.remark, user.remark === null ? nothing() : <Name text={user.remark} />],
    [words.user.fields.roleKeys, user.roleKeys.length === 0 ? nothing() : <Name text={user.roleKeys.join(', ')} />],
  ] as const
  return (
    <section class="stack">
      <h2>{words.user.fieldsHeading}</h2>
      {me.userId === user.id && <p class="muted">{words.user.ownAccount}</p>}
      <dl class="facts">
        {rows.map(([label, value]) => (
          <Fact name={label} key={label}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  )
}
