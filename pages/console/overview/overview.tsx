import type { Operations } from '../../../client/index.js'
import { base, hasPage } from '../../shared/base.js'
import { FactorDeadline } from '../../shared/factors/factor-deadline.js'
import { Loading } from '../../shared/frame/loading.js'
import { Notice } from '../../shared/frame/notice.js'
import { dateAndTime, number } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Page } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { addressOf, useConsole } from '../console.js'
import { words } from '../words.js'
import { Bars } from './bars.js'
import { Gaps } from './gaps.js'

type Counts = Operations['GET /system/overview']['data']

/** By the clock of the service: that of the browser may be another. */
const from = (since: number): string => new URLSearchParams({ timeFrom: new Date(since).toISOString() }).toString()
const withoutFactor = 'users?hasSecondFactor=false'
/** In the order of the page; a count leads to the list of what was counted. */
const figures = (since: number) =>
  [
    ['users', words.overview.users, 'users'],
    ['usersWithoutFactor', words.overview.usersWithoutFactor, withoutFactor],
    ['liveSessions', words.overview.liveSessions, 'sessions'],
    ['signIns24h', words.overview.signIns24h, `sign-ins?outcome=signedIn&${from(since)}`],
    ['refusals24h', words.overview.refusals24h, `sign-ins?outcome=refused&${from(since)}`],
  ] as const

const Figures = ({ counts }: { counts: Counts }) => (
  <dl class="figures">
    {figures(counts.since).map(([name, text, page]) => {
      const count = counts[name]
      if (count === undefined) return null
      return (
        <div key={name}>
          <dt>{text}</dt>
          <dd>
            <a href={addressOf(page)}>{number(count)}</a>
          </dd>
        </div>
      )
    })}
  </dl>
)

const Hours = ({ hours, since }: { hours: NonNullable<Counts['hours']>; since: number }) => (
  <section class="stack tight narrow" aria-labelledby="hours">
    <div class="line">
      <h2 id="hours">{words.overview.hours}</h2>
      <span class="muted">{words.overview.since(dateAndTime(new Date(since)))}</span>
    </div>
    <Bars hours={hours} />
  </section>
)

/** The first page: how many there are of what, and what the installation still lacks. */
export const Overview = () => {
  const { me, config, rooms } = useConsole()
  const name = visible(me.username)
  const opensPage = rooms.some(({ path, text }) => path !== '' && text !== undefined)
  const counts = useLoaded(() => request('GET /system/overview'))
  return (
    <Page title={words.overview.title}>
      <Loading of={counts}>
        {(loaded) => (
          <div class="stack loose narrow">
            {!opensPage && (
              <Notice kind="warn">
                {me.permissions.length === 0 ? words.overview.noPermission(name) : words.overview.noPage(name)}
              </Notice>
            )}
            <FactorDeadline text={words.overview.factorDeadline}>
              {hasPage('account') && (
                <a href={`${base.pathname}account/security`} target="_self">
                  {words.common.toOwnFactors}
                </a>
              )}
            </FactorDeadline>
            <Figures counts={loaded} />
            {loaded.hours && <Hours hours={loaded.hours} since={loaded.since} />}
            {loaded.lacks && loaded.installation && (
              <Gaps
                lacks={loaded.lacks}
                has={loaded.has ?? []}
                failures={loaded.deliveryFailures ?? []}
                installation={loaded.installation}
                isOwnFactorLacking={loaded.isOwnFactorLacking ?? false}
                region={config.phoneNumbers.region}
              />
            )}
          </div>
        )}
      </Loading>
    </Page>
  )
}
