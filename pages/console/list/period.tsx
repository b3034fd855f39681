import { dateAndTime } from '../../shared/language/language.js'
import { words } from '../words.js'
import type { ListAddress } from './address.js'
import { ChoiceFilter, SetFilter } from './filters.js'

/** Hours. */
const periods = { day: 24, week: 7 * 24, month: 30 * 24 } as const
type Period = keyof typeof periods
const hour = 3600_000

/** The begin of a period of the filter, for the API; rounded to a minute, so that the list is not asked for again by each second. */
export const startOf = (period: string | undefined): string | undefined => {
  if (period === undefined || !Object.hasOwn(periods, period)) return undefined
  const start = Date.now() - periods[period as Period] * hour
  return new Date(start - (start % 60_000)).toISOString()
}

/** A filter for rows of the last time; an address of the console may also say since when. */
export const PeriodFilter = ({ of: list }: { of: ListAddress }) => {
  const { timeFrom } = list.query
  if (timeFrom !== undefined && !Number.isNaN(Date.parse(timeFrom)))
    return (
      <SetFilter label={words.list.period} onRemove={() => list.change({ timeFrom: undefined })}>
        {words.list.since(dateAndTime(new Date(timeFrom)))}
      </SetFilter>
    )
  return <ChoiceFilter of={list} name="period" label={words.list.period} options={Object.entries(words.list.periods)} />
}
