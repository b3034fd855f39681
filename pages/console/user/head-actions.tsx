import { dateAndTime, sentences } from '../../shared/language/language.js'
import { useState } from 'preact/hooks'
import { request } from '../../shared/session/entered.js'
import { useConsole } from '../console.js'
import { inviteWord, service } from '../values.js'
import { words } from '../words.js'
import { PasswordDialog } from './password-dialog.js'
import type { TabProps } from './user-page.js'

/** What is done to an account as a whole. */
export const HeadActions = ({ user, setUser, reload, outcome }: TabProps) => {
  const { may, mayChange, lacksLink } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const path = { id: user.id }
  const act = async (action: 'disable' | 'enable' | 'unlock' | 'invite') => {
    await request(`POST /system/user/{id}/${action}`, { path })
    await reload()
  }
  const isDisabled = user.userStatus === 0
  /** Back to what the user was: `enable` knows no other status than "normal". */
  const undoDisable = async () => {
    if (user.userStatus !== 2) return act('enable')
    setUser(await request('PATCH /system/user/{id}', { path, body: { userStatus: 2 } }))
  }
  const invite = async () => {
    await act('invite')
    // Within a minute of the last one the service sends none.
    const { invitedTime } = await request('GET /system/user/{id}', { path })
    if (invitedTime === user.invitedTime) {
      outcome.hint(words.user.wasJustInvited)
      return
    }
    outcome.tell(sentences(words.user.wasInvited, lacksLink && words.common.noLink))
  }
  if (!mayChange(user)) return null
  const mayInvite = user.notInvitable === null && user.lastLoginTime === null
  return (
    <>
      {may('system:user:reset') && user.userType !== service && (
        <button onClick={() => setOpen(true)}>{words.user.setPassword}</button>
      )}
      {may('system:user:edit') && user.userStatus === 2 && (
        <button onClick={() => outcome.attempt(act('unlock'), words.user.unlocked)}>{words.user.unlock}</button>
      )}
      {may('system:user:edit') && user.userStatus !== 2 && user.bannedUntil !== null && (
        <button onClick={() => outcome.attempt(act('unlock'), words.user.banLifted)}>{words.user.liftBan}</button>
      )}
      {may('system:user:edit') && user.userStatus === 1 && user.bannedUntil === null && (
        <button
          title={words.users.hints.unlock}
          onClick={() =>
            outcome.attempt(act('unlock'), user.pausedUntil === null ? words.user.nothingCounted : words.user.waitEnded)
          }
        >
          {words.user.unlock}
        </button>
      )}
      {may('system:user:edit') && mayInvite && (
        <button onClick={() => void invite().catch(outcome.fail)}>{inviteWord(user)}</button>
      )}
      {may('system:user:edit') && (
        <button
          onClick={() =>
            isDisabled
              ? outcome.attempt(act('enable'), words.user.enabled, () => act('disable'))
              : outcome.attempt(act('disable'), words.user.disabled, undoDisable)
          }
        >
          {isDisabled ? words.user.enable : words.user.disable}
        </button>
      )}
      {isOpen && (
        <PasswordDialog
          user={user}
          onClose={() => setOpen(false)}
          onDone={async () => {
            setOpen(false)
            outcome.tell(words.user.passwordSet)
            await reload()
          }}
        />
      )}
    </>
  )
}

/** What keeps somebody out, and which of the actions ends it: each ends one thing. */
export const StateHint = ({ user }: Pick<TabProps, 'user'>) => {
  const { may, mayChange } = useConsole()
  const { userStatus, bannedUntil, pausedUntil } = user
  const isOpen = userStatus === 1 && bannedUntil === null && pausedUntil === null
  if (!mayChange(user) || !may('system:user:edit') || isOpen) return null
  return (
    <p class="hint">
      {sentences(
        userStatus === 0 && words.user.disabledHint,
        userStatus === 2 && words.user.lockedHint,
        userStatus !== 2 && bannedUntil !== null && words.user.bannedHint,
        userStatus === 1 && bannedUntil === null && words.user.waitHint(dateAndTime(new Date(pausedUntil ?? 0))),
      )}
    </p>
  )
}
