import { useEffect } from 'preact/hooks'
import { FactorDeadline } from '../../shared/factors/factor-deadline.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { Fact } from '../../shared/frame/fact.js'
import { date } from '../../shared/language/language.js'
import { Name } from '../../shared/language/visible.js'
import { addressOf, useAccount } from '../account.js'
import { words } from '../words.js'
import { Appearance } from './appearance.js'
import { Contacts } from './contacts.js'
import { You } from './you.js'

/** What only administrators change. */
const Place = () => {
  const { me } = useAccount()
  return (
    <Section heading={words.place} hint={words.placeHint}>
      <dl class="facts">
        <Fact name={words.tenant}>
          <Name text={me.tenantName} />
        </Fact>
        <Fact name={words.roles}>{me.roleKeys.length > 0 ? <Name text={me.roleKeys.join(', ')} /> : words.none}</Fact>
        <Fact name={words.since}>{date(new Date(me.createTime))}</Fact>
      </dl>
    </Section>
  )
}

/** What a person is called and how the person can be reached. */
export const Profile = () => {
  const outcome = useOutcome()
  useEffect(() => {
    // A sign-in leads here after a new password. Neither a reload nor the way back says it again.
    if (location.hash !== '#password-set') return
    history.replaceState(history.state, '', location.pathname + location.search)
    outcome.tell(words.passwordSet)
  }, [])
  return (
    <Page title={words.profile}>
      {outcome.notice}
      <FactorDeadline text={words.deadline}>
        <a href={addressOf('security')}>{words.setUpFactor}</a>
      </FactorDeadline>
      <You outcome={outcome} />
      <Contacts outcome={outcome} />
      <Appearance />
      <Place />
    </Page>
  )
}
