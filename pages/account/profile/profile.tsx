import { Notice } from '../../shared/frame/notice.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { words } from '../words.js'
import { Appearance } from './appearance.js'
import { Contacts } from './contacts.js'
import { Place } from './place.js'
import { You } from './you.js'

const isOtherAccount = (): boolean => (history.state as { isOtherAccount?: boolean } | null)?.isOtherAccount === true

/** What a person is called and how the person can be reached. */
export const Profile = () => {
  const outcome = useOutcome()
  return (
    <Page title={words.profile}>
      {isOtherAccount() && <Notice kind="warn">{words.otherAccount}</Notice>}
      {outcome.notice}
      <You outcome={outcome} />
      <Contacts outcome={outcome} />
      <Appearance />
      <Place />
    </Page>
  )
}
