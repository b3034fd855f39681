import { remember } from './remember.js'

const dayLength = 86_400_000
/** A page of the list holds thirty times: `toISOString` would add a tenth to its processor time, 13 of 106 microseconds. */
const days = remember(5000, (day: number) => new Date(day * dayLength).toISOString().slice(0, -'00:00:00.000Z'.length))

/** The numbers below `count`, with leading zeros, each before `after`. */
const numbers = (count: number, after: string) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(String(count - 1).length, '0') + after)
const hours = numbers(24, ':')
const minutes = hours.flatMap((hour) => numbers(60, ':').map((minute) => hour + minute))
const seconds = numbers(60, '.')
const milliseconds = numbers(1000, 'Z')

/** RFC 3339, UTC, of epoch milliseconds: what `toISOString` says, in a fraction of its time. */
export const toTime = (time: number): string => {
  const day = Math.floor(time / dayLength)
  const rest = time - day * dayLength
  const second = Math.floor(rest / 1000)
  // Not a template, which converts each part to text first.
  return (
    days.of(day) +
    (minutes[Math.floor(second / 60)] ?? '') +
    (seconds[second % 60] ?? '') +
    (milliseconds[rest % 1000] ?? '')
  )
}
