import { Notice } from '../../shared/frame/notice.js'
import { Page } from '../../shared/shell/shell.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'
import { Appearance } from './appearance.js'
import { Contacts } from './contacts.js'
import { Place } from './place.js'
import { You } from './you.js'

const isOtherAccount = (): boolean => (history.state as { isOtherAccount?: boolean } | null)?.isOtherAccount === true

/** What a person is called and how the person can be reached. */
export const Profile = () => (
  <Page branding={useAccount().config} title={words.profile}>
    {isOtherAccount() && <Notice kind="warn">{words.otherAccount}</Notice>}
    <You />
    <Contacts />
    <Appearance />
    <Place />
  </Page>
)
