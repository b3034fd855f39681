import { createIds, maxSmallId, type IdList } from '../../user-list/id-list.js'

/** A copy without the ids at `positions`, which are in ascending order. */
export const withoutPositions = ({ ids, length }: IdList, positions: number[]): IdList => {
  const copy = createIds(length - positions.length, ids instanceof Uint32Array)
  let start = 0
  let end = 0
  for (const position of [...positions, length]) {
    copy.set(ids.subarray(start, position), end)
    end += position - start
    start = position + 1
  }
  return { ids: copy, length: copy.length }
}

/** A copy with further ids, each before the one that was at its `position`. They are in the order of the list. */
export const withIds = ({ ids, length }: IdList, added: { id: number; position: number }[]): IdList => {
  const isSmall = ids instanceof Uint32Array && !added.some(({ id }) => id > maxSmallId)
  const copy = createIds(length + added.length, isSmall)
  let start = 0
  for (const [index, { id, position }] of added.entries()) {
    copy.set(ids.subarray(start, position), start + index)
    copy[position + index] = id
    start = position
  }
  copy.set(ids.subarray(start, length), start + added.length)
  return { ids: copy, length: copy.length }
}
