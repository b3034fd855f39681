import { Fact } from '../../shared/frame/fact.js'
import { date } from '../../shared/language/language.js'
import { Name } from '../../shared/language/visible.js'
import { Section } from '../../shared/shell/shell.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'

/** What only administrators change. */
export const Place = () => {
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
