import { invalidField } from './problem.js'
import { remember } from './remember.js'
import { toTime } from './time-text.js'

const dayLength = 86_400_000
const dateForm = /^\d{4}-\d{2}-\d{2}$/
const localForm = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const timeForm = /^\d{4}-\d{2}-\d{2}[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/
const offsetForm = /^GMT(?:([+-])(\d{2}):(\d{2}))?/

/** Clocks change at full quarters of an hour only (IANA Time Zone Database, since 1972). Milliseconds. */
const quarter = 900_000

/** Whether the process knows the time zone, by a name of the IANA Time Zone Database. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The time zone of the process. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat('en').resolvedOptions().timeZone

/** Reads and writes times in the time zone `name`. */
export const createTimeZone = (name: string) => {
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  const offsets = remember(5000, (quarters: number): number => {
    const text = format.formatToParts(quarters * quarter).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0] = offsetForm.exec(text) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  })
  const offsetAt = (time: number): number => offsets.of(Math.floor(time / quarter))

  /** Epoch milliseconds at which clocks show what they show in UTC at `local`. A time that clocks skip is the one before. */
  const fromLocal = (local: number): number => local - offsetAt(local - offsetAt(local))

  /** `2026-02-01 16:00:00`, as people and spreadsheet programs read it, of epoch milliseconds. */
  const toLocal = (time: number): string =>
    toTime(time + offsetAt(time))
      .slice(0, 19)
      .replace('T', ' ')

  return {
    name,

    /** RFC 3339 with the offset of the zone, of epoch milliseconds. */
    toText(time: number): string {
      const offset = offsetAt(time)
      if (offset === 0) return toTime(time)
      const minutes = Math.abs(offset) / 60_000
      const pad = (number: number) => String(Math.floor(number)).padStart(2, '0')
      return `${toTime(time + offset).slice(0, -1)}${offset < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`
    },

    toLocal,

    /** The same with the name of the zone. */
    toNamed: (time: number): string => `${toLocal(time)} (${name})`,

    /**
     * Epoch milliseconds of an RFC 3339 date-time or of a date of the zone; with `endOfDay`, the last moment of the date; with
     * `allowsLocal`, also of a local time (`2026-02-01 16:00:00`). Throws `invalid_request` for `field` for any other text.
     */
    readTime(field: string, text: string | undefined, endOfDay: boolean, allowsLocal = false): number | undefined {
      if (text === undefined) return undefined
      // A query decodes the plus of +08:00 into a space.
      const repaired = text.replace(/ (?=\d{2}:\d{2}$)/, '+')
      const day = Date.parse(repaired.slice(0, 10))
      // Date.parse turns 30 February into March; RFC 3339 has no such day.
      const isRealDay = !Number.isNaN(day) && toTime(day).startsWith(repaired.slice(0, 10))
      if (!isRealDay) throw invalidField(field, 'time')
      if (dateForm.test(repaired)) return endOfDay ? fromLocal(day + dayLength) - 1 : fromLocal(day)
      if (allowsLocal && localForm.test(repaired)) return fromLocal(Date.parse(`${repaired.replace(' ', 'T')}Z`))
      const time = timeForm.test(repaired) ? Date.parse(repaired.toUpperCase().replace(' ', 'T')) : NaN
      if (Number.isNaN(time)) throw invalidField(field, 'time')
      return time
    },
  }
}

export type TimeZone = ReturnType<typeof createTimeZone>
