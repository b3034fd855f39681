import { Notice } from '../../shared/frame/notice.js'
import { Name } from '../../shared/language/visible.js'
import type { Refused } from './use-actions.js'

/** Why nothing was changed, in the words of the server, for each user that it has named. */
export const RefusedNotice = ({ refused: { message, users } }: { refused: Refused }) => (
  <Notice kind="bad">
    {message}
    {users.map(({ name, message: why }) => (
      <span key={name}>
        <br />
        <Name text={name} />: {why}
      </span>
    ))}
  </Notice>
)
