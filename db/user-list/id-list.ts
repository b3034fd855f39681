import type { Page } from '../paging.js'

/** Ids in order. Behind the first `length` there may be room. */
export interface IdList {
  ids: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
  length: number
}

/** What somebody wants to see of a list. */
export interface Slice {
  page: Page
  /** Whether pages are counted from the end. */
  isReversed: boolean
  /** Creation times, both inclusive, to which a list in their order is narrowed. */
  window: { from: number; to: number } | undefined
}

const largestShortId = 2 ** 32 - 1

export const createIdList = (ids: number[]): IdList => {
  const areShort = ids.every((id) => id <= largestShortId)
  return { ids: areShort ? new Uint32Array(ids) : new Float64Array(ids), length: ids.length }
}

export const bytesOf = ({ ids }: IdList): number => ids.byteLength

/** The position of the first of an ordered list that `isPast`; good guesses save most of the search. */
const firstPast = (length: number, isPast: (position: number) => boolean, guesses: number[] = []): number => {
  let low = 0
  let high = length
  const look = (position: number) => {
    if (isPast(position)) high = position
    else low = position + 1
  }
  for (const guess of guesses) if (guess >= low && guess < high) look(guess)
  while (low < high) look((low + high) >>> 1)
  return low
}

/**
 * The ids of a slice, and how many there are on all its pages. `timeOf` tells when a user was created; it is asked a few
 * dozen times for a window, however long the list is.
 */
export const cut = (
  list: IdList,
  { page, isReversed, window }: Slice,
  timeOf: (id: number) => number | undefined,
): { ids: number[]; total: number } => {
  const { ids, length } = list
  const timeAt = (position: number) => timeOf(ids[position] ?? 0) ?? 0
  const start = window && window.from > -Infinity ? firstPast(length, (position) => timeAt(position) >= window.from) : 0
  const end = window && window.to < Infinity ? firstPast(length, (position) => timeAt(position) > window.to) : length
  const total = Math.max(0, end - start)
  const count = Math.max(0, Math.min(page.size, total - page.offset))
  const first = isReversed ? end - 1 - page.offset : start + page.offset
  const step = isReversed ? -1 : 1
  const found: number[] = []
  for (let index = 0; index < count; index++) found.push(ids[first + index * step] ?? 0)
  return { ids: found, total }
}

/** Takes an id out and returns where it was; undefined when it was not there. */
export const removeId = (list: IdList, id: number): number | undefined => {
  const { ids, length } = list
  const position = ids.indexOf(id)
  if (position < 0 || position >= length) return undefined
  ids.copyWithin(position, position + 1, length)
  list.length--
  return position
}

const grow = (list: IdList, largest: number): void => {
  const capacity = Math.ceil(list.length * 1.02) + 16
  const isShort = list.ids instanceof Uint32Array && largest <= largestShortId
  const ids = isShort ? new Uint32Array(capacity) : new Float64Array(capacity)
  ids.set(list.ids.subarray(0, list.length))
  list.ids = ids
}

/**
 * Puts an id where it belongs; `comesFirst(one, other)` tells the order of two. `hint` is where it was: most changes
 * leave the place as it is. Otherwise whoever is new, or has just signed in, mostly comes last.
 */
export const insertId = (
  list: IdList,
  id: number,
  hint: number,
  comesFirst: (one: number, other: number) => boolean,
): void => {
  const fits = list.ids instanceof Float64Array || id <= largestShortId
  if (list.length === list.ids.length || !fits) grow(list, id)
  const { ids, length } = list
  const isPast = (position: number) => comesFirst(id, ids[position] ?? 0)
  const position = firstPast(length, isPast, [hint, hint - 1, length - 1])
  ids.copyWithin(position + 1, position, length)
  ids[position] = id
  list.length++
}
