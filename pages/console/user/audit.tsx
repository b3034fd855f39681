import { AuditTable } from '../activity/audit.js'
import { PeriodFilter, startOf } from '../list/period.js'
import { useList } from '../list/use-list.js'
import type { TabProps } from './user-page.js'

/** What administrators and the owner have changed of the account. */
export const Audit = ({ user }: TabProps) => {
  const list = useList('GET /system/audit/page', {
    sort: '-time',
    filters: ['period'],
    toQuery: ({ period }) => ({ targetType: 'user', targetId: String(user.id), timeFrom: startOf(period) }),
  })
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <PeriodFilter of={list} />
      </form>
      <AuditTable of={list} />
    </>
  )
}
