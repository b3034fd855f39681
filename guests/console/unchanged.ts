/** The form of dates that the front end sends. */
const dateForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?:Z|[+-]\d{2}:?\d{2})?$/

/** No time zone is further away from UTC; a date without a time is off by another day. Milliseconds. */
const hour = 3_600_000
const maxZone = 15 * hour
const day = 24 * hour

/**
 * Whether `text` is a date that stands for these digits. The front end shows and sends every number of 10 digits as the
 * date of these seconds, every number of 13 digits as that of these milliseconds, in the time zone of the browser.
 */
const isDateOf = (text: string, digits: string): boolean => {
  const [, date, time] = dateForm.exec(text) ?? []
  if (date === undefined || !/^(\d{10}|\d{13})$/.test(digits)) return false
  const meant = Date.parse(`${date}T${time ?? '00:00'}Z`)
  const stored = digits.length === 10 ? Number(digits) * 1000 : Number(digits)
  return Math.abs(meant - stored) <= (time === undefined ? maxZone + day : maxZone)
}

/** Whether the text that the front end sent back is the stored one: the same, or the date of its digits. */
export const isUnchanged = (sent: string, stored: string | null): boolean =>
  stored !== null && (sent === stored || isDateOf(sent, stored))
