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
        <dt>{words.tenant}</dt>
        <dd>
          <Name text={me.tenantName} />
        </dd>
        <dt>{words.roles}</dt>
        <dd>{me.roleKeys.length > 0 ? <Name text={me.roleKeys.join(', ')} /> : words.none}</dd>
        <dt>{words.since}</dt>
        <dd>{date(new Date(me.createTime))}</dd>
      </dl>
    </Section>
  )
}
