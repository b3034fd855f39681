import type { Page } from '../paging.js'

/** Ids in order, which nobody changes. Numbers of 4 bytes, or of 8 where an id needs them. */
export type IdList = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
export const maxSmallId = 2 ** 32 - 1

/** A part of a list that a request asks for. */
export interface Slice {
  page: Page
  /** Whether pages are counted from the end. */
  isReversed: boolean
}

export const createIds = (length: number, isSmall: boolean): IdList =>
  isSmall ? new Uint32Array(length) : new Float64Array(length)

export const createIdList = (numbers: readonly number[]): IdList => {
  const ids = createIds(numbers.length, !numbers.some((id) => id > maxSmallId))
  ids.set(numbers)
  return ids
}

/** The ids of a slice. */
export const cut = (ids: IdList, { page, isReversed }: Slice): number[] => {
  const count = Math.max(0, Math.min(page.size, ids.length - page.offset))
  const first = isReversed ? ids.length - page.offset - count : page.offset
  const found = Array.from(ids.subarray(first, first + count))
  return isReversed ? found.reverse() : found
}

/** Those of a list that are among `wanted`, in its order. No id is higher than `highest`. */
export const cutOut = (ids: IdList, wanted: number[], highest: number): IdList => {
  const isWanted = new Uint8Array(highest + 1)
  for (const id of wanted) isWanted[id] = 1
  const found = createIds(Math.min(ids.length, wanted.length), isSmall(ids))
  let count = 0
  for (const id of ids) if (isWanted[id] === 1 && count < found.length) found[count++] = id
  return found.slice(0, count)
}

/** A copy of the ids on all pages. */
export const copyAll = (ids: IdList, isReversed: boolean): IdList => {
  const copy = ids.slice()
  return isReversed ? copy.reverse() : copy
}

const isSmall = (ids: IdList): boolean => ids instanceof Uint32Array

/** A copy without the ids at `positions`, which are in ascending order. */
export const withoutPositions = (ids: IdList, positions: number[]): IdList => {
  const copy = createIds(ids.length - positions.length, isSmall(ids))
  let start = 0
  let end = 0
  for (const position of [...positions, ids.length]) {
    copy.set(ids.subarray(start, position), end)
    end += position - start
    start = position + 1
  }
  return copy
}

/** A copy with further ids, each before the one that was at its `position`. They are in the order of the list. */
export const withIds = (ids: IdList, added: { id: number; position: number }[]): IdList => {
  const copy = createIds(ids.length + added.length, isSmall(ids) && !added.some(({ id }) => id > maxSmallId))
  let start = 0
  for (const [index, { id, position }] of added.entries()) {
    copy.set(ids.subarray(start, position), start + index)
    copy[position + index] = id
    start = position
  }
  copy.set(ids.subarray(start), start + added.length)
  return copy
}
