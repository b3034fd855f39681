import { invalidField } from './problem.js'

const dayLength = 86_400_000
const dateForm = /^\d{4}-\d{2}-\d{2}$/
const timeForm = /^\d{4}-\d{2}-\d{2}[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/**
 * Epoch milliseconds of an RFC 3339 date-time or a date (UTC); with `endOfDay`, the last moment of the date. Throws
 * `invalid_request` for `field` when the text is neither.
 */
export const readTime = (field: string, text: string | undefined, endOfDay: boolean): number | undefined => {
  if (text === undefined) return undefined
  // A query decodes the plus of +08:00 into a space.
  const repaired = text.replace(/ (?=\d{2}:\d{2}$)/, '+')
  const isDate = dateForm.test(repaired)
  const time = isDate || timeForm.test(repaired) ? Date.parse(repaired.toUpperCase().replace(' ', 'T')) : NaN
  // Date.parse turns 30 February into March; RFC 3339 has no such day.
  const day = repaired.slice(0, 10)
  const isRealDay = !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day)
  if (Number.isNaN(time) || !isRealDay) throw invalidField(field, 'time')
  return isDate && endOfDay ? time + dayLength - 1 : time
}
