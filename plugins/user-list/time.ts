import { LRUCache } from 'lru-cache'

const dayLength = 86_400_000
/** A page of the list holds thirty times, and `toISOString` would be its most expensive part. */
const days = new LRUCache<number, string>({ max: 5000 })

const toDay = (day: number): string => {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * dayLength).toISOString().split('T', 1).join()
  days.set(day, text)
  return text
}

const padded = (length: number) =>
  Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, '0'))
const [two, three] = [padded(2), padded(3)]

/** RFC 3339, UTC, of epoch milliseconds: what `toISOString` says, in a third of its time. */
export const toTime = (time: number): string => {
  const day = Math.floor(time / dayLength)
  const rest = time - day * dayLength
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${toDay(day)}T${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[rest % 1000]}Z`
}
