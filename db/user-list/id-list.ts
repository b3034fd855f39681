import type { Page } from '../paging.js'

/** Half the size of `Float64Array`, which only larger ids need. */
export type Ids = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
export const maxSmallId = 2 ** 32 - 1

/** Ids in order. There may be unused space after the first `length`. */
export interface IdList {
  ids: Ids
  length: number
}

/** A part of a list that a request asks for. */
export interface Slice {
  page: Page
  /** Whether pages are counted from the end. */
  isReversed: boolean
  /** A range of creation times, both inclusive, for a list that is ordered by them. */
  window: { from: number; to: number } | undefined
}

export const createIds = (length: number, isSmall: boolean): Ids =>
  isSmall ? new Uint32Array(length) : new Float64Array(length)

export const createIdList = (numbers: number[]): IdList => {
  const ids = createIds(numbers.length, !numbers.some((id) => id > maxSmallId))
  ids.set(numbers)
  return { ids, length: numbers.length }
}

/** Binary search: the first position for which `isPast` is true. */
const firstPast = (length: number, isPast: (position: number) => boolean): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isPast(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The positions of the first id on all pages of a slice and of the first id after them. */
const bounds = (
  { ids, length }: IdList,
  window: Slice['window'],
  timeOf: (id: number) => number,
): { start: number; end: number } => {
  const timeAt = (position: number) => timeOf(ids[position] ?? 0)
  const start = window && window.from > -Infinity ? firstPast(length, (position) => timeAt(position) >= window.from) : 0
  const end = window && window.to < Infinity ? firstPast(length, (position) => timeAt(position) > window.to) : length
  return { start, end: Math.max(start, end) }
}

/** The ids of a slice, and the number of ids on all its pages. `timeOf` returns the creation time of a user. */
export const cut = (
  list: IdList,
  { page, isReversed, window }: Slice,
  timeOf: (id: number) => number,
): { ids: number[]; total: number } => {
  const { ids } = list
  const { start, end } = bounds(list, window, timeOf)
  const total = end - start
  const count = Math.max(0, Math.min(page.size, total - page.offset))
  const first = isReversed ? end - page.offset - count : start + page.offset
  // A loop: spreading a typed array calls its iterator for each id.
  const found: number[] = []
  for (let position = first; position < first + count; position++) found.push(ids[position] ?? 0)
  return { ids: isReversed ? found.reverse() : found, total }
}

/** A copy of the ids on all pages of a slice. */
export const copyAll = (
  list: IdList,
  { isReversed, window }: Omit<Slice, 'page'>,
  timeOf: (id: number) => number,
): Ids => {
  const { start, end } = bounds(list, window, timeOf)
  const copy = list.ids.slice(start, end)
  return isReversed ? copy.reverse() : copy
}

export const removeId = (list: IdList, id: number): void => {
  const position = list.ids.indexOf(id)
  if (position < 0 || position >= list.length) return
  list.ids.copyWithin(position, position + 1, list.length)
  list.length--
}

/** Inserts an id into an ordered list; `comesFirst(one, other)` returns whether `one` comes before `other`. */
export const insertId = (list: IdList, id: number, comesFirst: (one: number, other: number) => boolean): void => {
  const isSmall = list.ids instanceof Uint32Array
  const fits = !isSmall || id <= maxSmallId
  if (!fits || list.length === list.ids.length) {
    const larger = createIds(Math.ceil(list.length * 1.02) + 16, isSmall && fits)
    larger.set(list.ids)
    list.ids = larger
  }
  const { ids, length } = list
  const position = firstPast(length, (position) => comesFirst(id, ids[position] ?? 0))
  ids.copyWithin(position + 1, position, length)
  ids[position] = id
  list.length++
}
