import { createIdList, type IdList } from '../../user-list/id-list.js'
import { notIndexed } from './name-search.js'
import type { Snapshots } from './snapshots.js'
import type { Statement } from './statements.js'

/** Users that a search on the main thread finds at most: to read 20,000 ids takes some 5 milliseconds. */
const maxFound = 20_000
/** Users whose names are not indexed, and are compared one by one. */
const maxNotIndexed = 500

const absent = 2 ** 32 - 1

/** The position of each id in a list, by id. */
const positionsOf = (ids: IdList): Uint32Array => {
  let largest = 0
  for (const id of ids) largest = Math.max(largest, id)
  const positions = new Uint32Array(largest + 1).fill(absent)
  for (let position = 0; position < ids.length; position++) positions[ids[position] ?? 0] = position
  return positions
}

/** Those of a list whose ids are among `wanted`, in its order. */
const intersect = (ids: IdList, positions: Uint32Array, wanted: number[]): IdList => {
  const found = Uint32Array.from(wanted, (id) => positions[id] ?? absent).sort()
  const first = found.indexOf(absent)
  return createIdList(Array.from(first < 0 ? found : found.subarray(0, first), (position) => ids[position] ?? 0))
}

/** Searches for names in few milliseconds: the list without the search gives the order, so that no row is read and nothing is sorted. */
export const createSearches = ({ number, numbers }: Snapshots, maxUsers: number) => {
  /** Of the list in which was searched last. */
  let known: { ids: IdList; positions: Uint32Array } | undefined

  /** The list of a search in the list `ids` without it; undefined where that takes long. */
  return (found: Statement, ids: IdList): IdList | undefined => {
    if (number('select max(id) from users') > maxUsers) return undefined
    if (number(`select count(*) from (${notIndexed} limit ${maxNotIndexed + 1})`) > maxNotIndexed) return undefined
    const wanted = numbers({ ...found, sql: `${found.sql} limit ${maxFound + 1}` })
    if (wanted.length > maxFound) return undefined
    if (known?.ids !== ids) known = { ids, positions: positionsOf(ids) }
    return intersect(ids, known.positions, wanted)
  }
}
