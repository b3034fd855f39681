import { Face, isShown } from '../../shared/frame/face.js'
import { Fact } from '../../shared/frame/fact.js'
import { dateAndTime, number } from '../../shared/language/language.js'
import { Name } from '../../shared/language/visible.js'
import { banText, service } from '../values.js'
import { words } from '../words.js'
import type { User } from './draft.js'

/** An invitation is refused to whoever has a password. */
const passwordText = ({ forcePasswordChange, notInvitable }: User): string => {
  if (notInvitable !== 'has_password') return words.user.none
  return forcePasswordChange ? words.user.mustChange : words.user.hasPassword
}

/** What nobody types. */
export const Facts = ({ user }: { user: User }) => {
  const { lastLoginTime, lastLoginIp } = user
  return (
    <aside class="stack tight" aria-label={words.user.facts}>
      <h2>{words.user.facts}</h2>
      {/* The list of users leaves long pictures out. */}
      {isShown(user.avatar) && <Face user={user} isLarge />}
      <dl class="facts">
        <Fact name={words.user.id}>
          <span class="num">{user.id}</span>
        </Fact>
        <Fact name={words.user.tenant}>
          <Name text={user.tenantName} />
        </Fact>
        {user.userType !== service && (
          <>
            <Fact name={words.user.password}>{passwordText(user)}</Fact>
            <Fact name={words.user.factors}>{user.hasSecondFactor ? words.user.factorSet : words.user.none}</Fact>
          </>
        )}
        {user.bannedUntil !== null && <Fact name={words.user.ban}>{banText(user.bannedUntil)}</Fact>}
        {user.pausedUntil !== null && (
          <Fact name={words.user.wait}>{words.user.waitsUntil(dateAndTime(new Date(user.pausedUntil)))}</Fact>
        )}
        {user.invitedTime !== null && <Fact name={words.user.invited}>{dateAndTime(new Date(user.invitedTime))}</Fact>}
        <Fact name={words.user.lastSignIn}>
          {lastLoginTime === null ? words.user.never : dateAndTime(new Date(lastLoginTime))}
          {lastLoginIp !== null && (
            <>
              <br />
              <span class="muted">{lastLoginIp}</span>
            </>
          )}
        </Fact>
        <Fact name={words.user.signInCount}>
          <span class="num">{number(user.loginCount)}</span>
        </Fact>
        <Fact name={words.user.created}>{dateAndTime(new Date(user.createTime))}</Fact>
        <Fact name={words.user.changed}>{dateAndTime(new Date(user.updateTime))}</Fact>
      </dl>
    </aside>
  )
}
