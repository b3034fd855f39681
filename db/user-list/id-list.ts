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
}

export const createIds = (length: number, isSmall: boolean): Ids =>
  isSmall ? new Uint32Array(length) : new Float64Array(length)

export const createIdList = (numbers: number[]): IdList => {
  const ids = createIds(numbers.length, !numbers.some((id) => id > maxSmallId))
  ids.set(numbers)
  return { ids, length: numbers.length }
}

/** The ids of a slice, and the number of ids on all pages. */
export const cut = ({ ids, length }: IdList, { page, isReversed }: Slice): { ids: number[]; total: number } => {
  const count = Math.max(0, Math.min(page.size, length - page.offset))
  const first = isReversed ? length - page.offset - count : page.offset
  // A loop: spreading a typed array calls its iterator for each id.
  const found: number[] = []
  for (let position = first; position < first + count; position++) found.push(ids[position] ?? 0)
  return { ids: isReversed ? found.reverse() : found, total: length }
}

/** A copy of the ids on all pages. */
export const copyAll = ({ ids, length }: IdList, isReversed: boolean): Ids => {
  const copy = ids.slice(0, length)
  return isReversed ? copy.reverse() : copy
}

const absent = 2 ** 32 - 1

/** The position of each id in a list, by id; ids up to `largest`. */
export const positionsOf = ({ ids, length }: IdList, largest: number): Uint32Array => {
  const positions = new Uint32Array(largest + 1).fill(absent)
  for (let position = 0; position < length; position++) positions[ids[position] ?? 0] = position
  return positions
}

/** Those of a list whose ids are among `wanted`, in the order of the list. `positions` are those of the list. */
export const intersect = (list: IdList, positions: Uint32Array, wanted: number[]): IdList => {
  const found = Uint32Array.from(wanted, (id) => positions[id] ?? absent).sort()
  const first = found.indexOf(absent)
  return createIdList(Array.from(first < 0 ? found : found.subarray(0, first), (position) => list.ids[position] ?? 0))
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
  let position = 0
  for (let end = length; position < end;) {
    const middle = (position + end) >>> 1
    if (comesFirst(id, ids[middle] ?? 0)) end = middle
    else position = middle + 1
  }
  ids.copyWithin(position + 1, position, length)
  ids[position] = id
  list.length++
}
