import { readStored, store } from '../stored.js'

/** Each language under its own name. */
export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

export const tags: Record<Language, string> = { en: 'en', zh: 'zh-CN' }
/** The choice of a person, by `?lang=` or on the account page. */
const storageKey = 'rollcall-language'

/** The language of a tag such as `zh-Hans-CN`: its first part decides. */
const toLanguage = (tag: string | null | undefined): Language | undefined => {
  const [first = ''] = tag?.toLowerCase().split(/[-_]/) ?? []
  return first in languages ? (first as Language) : undefined
}

const asked = toLanguage(new URLSearchParams(location.search).get('lang'))
// Where storage is forbidden, the choice lasts as long as `?lang=` is in the address.
const isInAddressOnly = asked !== undefined && !store(storageKey, asked)

/** That of `?lang=`, of an earlier choice, or of the browser, as the server has understood its header. */
export const language: Language =
  asked ?? toLanguage(readStored(storageKey)) ?? toLanguage(document.documentElement.lang) ?? 'en'
/** Also sent as `Accept-Language`, so that the messages of the server match. */
export const languageTag = tags[language]
document.documentElement.lang = languageTag

/** Loads the page again in a language, which is kept as above. `state` is that of the history after it. */
export const chooseLanguage = (chosen: string, state: object | null = null): void => {
  const query = new URLSearchParams(location.search)
  query.set('lang', chosen)
  history.replaceState(state, '', `?${query.toString()}`)
  location.reload()
}

/** What the address of another page of ours has in its query, so that a language that is not kept lasts there. */
export const languageQuery = (): { lang?: string } => (isInAddressOnly ? { lang: language } : {})

/** A time of today, such as 14:32. */
export const clockTime = (time: Date): string =>
  new Intl.DateTimeFormat(languageTag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(time)

/** What stands between two sentences: a full stop of Chinese brings its own room. */
export const gap = language === 'zh' ? '' : ' '

/** Sentences one after the other, without those that are not said. */
export const sentences = (...texts: (string | false | undefined)[]): string => texts.filter(Boolean).join(gap)

/** As in the words: a space between digits and Chinese characters. */
const withSpace = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ')

const inUnit = (value: number, unit: 'second' | 'minute' | 'hour' | 'day'): string =>
  withSpace(new Intl.NumberFormat(languageTag, { style: 'unit', unit, unitDisplay: 'long' }).format(value))

/** A whole number, such as 1,000,000. */
export const number = (value: number): string => new Intl.NumberFormat(languageTag).format(value)

/** A duration in its largest unit, such as "5 minutes". */
export const duration = (seconds: number): string => {
  if (seconds < 90) return inUnit(seconds, 'second')
  return seconds < 5400 ? inUnit(Math.ceil(seconds / 60), 'minute') : inUnit(Math.ceil(seconds / 3600), 'hour')
}

/** Such as "30 days". */
export const days = (count: number): string => inUnit(count, 'day')

/** A day, such as 3 September 2024. */
export const date = (time: Date): string => new Intl.DateTimeFormat(languageTag, { dateStyle: 'long' }).format(time)

/** For a narrow column: the time of today, the day of this year, or the month of another year. */
export const shortTime = (time: Date): string => {
  const now = new Date()
  if (time.toDateString() === now.toDateString()) return clockTime(time)
  const isThisYear = time.getFullYear() === now.getFullYear()
  const parts: Intl.DateTimeFormatOptions = isThisYear ? { day: 'numeric' } : { year: 'numeric' }
  return new Intl.DateTimeFormat(languageTag, { month: 'short', ...parts }).format(time)
}

/** For a log: to the second, and the day in a word or as short as the year allows. */
export const logTime = (time: Date): string => {
  const now = new Date()
  const clock = new Intl.DateTimeFormat(languageTag, { timeStyle: 'medium', hourCycle: 'h23' }).format(time)
  const isToday = time.toDateString() === now.toDateString()
  const today = new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' }).format(0, 'day')
  if (isToday) return `${today.charAt(0).toUpperCase()}${today.slice(1)} ${clock}`
  const year = time.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return `${new Intl.DateTimeFormat(languageTag, { year, month: 'short', day: 'numeric' }).format(time)} ${clock}`
}

const fullTime = () => new Intl.DateTimeFormat(languageTag, { dateStyle: 'medium', timeStyle: 'short' })

export const dateAndTime = (time: Date): string => fullTime().format(time)

/** From one time to another, without what is the same of both. */
export const span = (from: Date, to: Date): string => fullTime().formatRange(from, to)

/** How long ago, in the largest unit, such as "3 hours ago". */
export const ago = (time: Date): string => {
  const seconds = (time.getTime() - Date.now()) / 1000
  const units = [
    ['day', 86_400],
    ['hour', 3600],
  ] as const
  const [unit, length] = units.find(([, size]) => -seconds >= size) ?? ['minute', 60]
  return withSpace(
    new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' }).format(Math.round(seconds / length), unit),
  )
}
