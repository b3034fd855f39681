import { base, hasPage } from '../../shared/base.js'
import { Fact } from '../../shared/frame/fact.js'
import { Name } from '../../shared/language/visible.js'
import { Notice } from '../../shared/frame/notice.js'
import { gap, sentences } from '../../shared/language/language.js'
import { useConsole } from '../console.js'
import { channelsOf, service } from '../values.js'
import { words } from '../words.js'
import { Danger } from './danger.js'
import type { User } from './draft.js'
import { Facts } from './facts.js'
import { Fields } from './fields.js'
import type { TabProps } from './user-page.js'

/** Says of somebody who cannot sign in why that is, which is also why there is no "Invite", and what helps. */
const WithoutWayIn = ({ user }: { user: User }) => {
  const { config, may, mayChange } = useConsole()
  if (user.hasWayIn || user.userType === service) return null
  const channels = config.resetChannels
  const hasPassword = user.notInvitable === 'has_password'
  // Codes go there, but not in the tenant of the user.
  const isReached = channels.some((channel) => user[channel] !== null)
  const why = isReached ? words.user.noCodes : words.import.whyNot[channelsOf(channels)]
  return (
    <Notice kind="warn" isQuiet>
      <b>{words.user.noWayIn}</b>
      {gap}
      {sentences(
        hasPassword ? words.user.noGoodPassword : why,
        mayChange(user) &&
          may('system:user:edit') &&
          words.user.whatHelps[hasPassword || isReached ? 'neither' : channelsOf(channels)],
      )}
    </Notice>
  )
}

const nothing = () => <span class="muted">{words.user.none}</span>

/** Where somebody changes the own account; here nobody does. */
export const OwnAccount = ({ page }: { page: string }) => (
  <p class="muted">
    {words.user.ownAccount}
    {hasPage('account') && (
      <>
        {gap}
        <a href={`${base.pathname}account${page}`} target="_self">
          {words.user.toOwnAccount}
        </a>
      </>
    )}
  </p>
)

/** The fields for those who may not change them. */
const FieldTexts = ({ user }: { user: User }) => {
  const { me, may } = useConsole()
  const isAbove = user.userType < me.userType && may('system:user:edit')
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
      {me.userId === user.id && <OwnAccount page="" />}
      {isAbove && <p class="muted">{words.user.above}</p>}
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

/** The fields of a user, and the facts beside them. */
export const Profile = (props: TabProps) => {
  const { may, mayChange } = useConsole()
  const isManaged = mayChange(props.user)
  return (
    <div class="cols">
      <div class="stack loose">
        <WithoutWayIn user={props.user} />
        {isManaged && may('system:user:edit') ? <Fields {...props} /> : <FieldTexts user={props.user} />}
        {isManaged && <Danger {...props} />}
      </div>
      <Facts user={props.user} />
    </div>
  )
}
