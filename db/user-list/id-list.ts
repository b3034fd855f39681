import type { Page } from '../paging.js'

/** Ids in order. Behind the first `length` ones there may be room for more. */
export interface IdList {
  ids: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
  length: number
}

const largestShortId = 2 ** 32 - 1

export const createIdList = (ids: number[]): IdList => {
  const areShort = ids.every((id) => id <= largestShortId)
  return { ids: areShort ? new Uint32Array(ids) : new Float64Array(ids), length: ids.length }
}

/** The ids on a page; of the list from its end when `isReversed`. */
export const idsOnPage = ({ ids, length }: IdList, page: Page, isReversed: boolean): number[] => {
  const count = Math.max(0, Math.min(page.size, length - page.offset))
  return Array.from({ length: count }, (_, index) => {
    const position = page.offset + index
    return ids[isReversed ? length - 1 - position : position] ?? 0
  })
}

export const removeId = (list: IdList, id: number): void => {
  const position = list.ids.indexOf(id)
  if (position < 0 || position >= list.length) return
  list.ids.copyWithin(position, position + 1, list.length)
  list.length--
}

const grow = (list: IdList, largest: number): void => {
  const capacity = Math.ceil(list.length * 1.02) + 16
  const isShort = list.ids instanceof Uint32Array && largest <= largestShortId
  const ids = isShort ? new Uint32Array(capacity) : new Float64Array(capacity)
  ids.set(list.ids.subarray(0, list.length))
  list.ids = ids
}

export const insertId = (list: IdList, id: number, position: number): void => {
  const fits = list.ids instanceof Float64Array || id <= largestShortId
  if (list.length === list.ids.length || !fits) grow(list, id)
  list.ids.copyWithin(position + 1, position, list.length)
  list.ids[position] = id
  list.length++
}

/** The position before which `id` belongs, in a list that is in order; `comesFirst(one, other)` tells the order of two. */
export const positionOf = (list: IdList, id: number, comesFirst: (one: number, other: number) => boolean): number => {
  let low = 0
  let high = list.length
  // Whoever is new, or has just signed in, mostly comes last.
  for (let middle = high - 1; low < high; middle = (low + high) >>> 1) {
    if (comesFirst(id, list.ids[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}
