import { Notice } from '../../shared/frame/notice.js'
import { gap, sentences } from '../../shared/language/language.js'
import { useConsole } from '../console.js'
import { channelsOf } from '../values.js'
import { words } from '../words.js'
import type { User } from './draft.js'

/** Says of somebody who cannot sign in why that is, which is also why there is no "Invite", and what helps. */
export const WithoutWayIn = ({ user }: { user: User }) => {
  const { config, may, mayChange } = useConsole()
  if (user.hasWayIn) return null
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
