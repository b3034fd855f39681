import { useState } from 'preact/hooks'
import type { List } from '../list/use-list.js'
import type { UserRow } from '../values.js'

export interface Selection {
  /** The rows of this page that can be selected. */
  pickable: UserRow[]
  /** All that are selected, of this page and of others. */
  rows: UserRow[]
  /** Those of them that are on this page. */
  here: UserRow[]
  /** Whom `pickMatching` has left out: the own account alone, or others too. */
  without: 'you' | 'others' | undefined
  pick: (row: UserRow, isPicked: boolean) => void
  /** All of this page. */
  pickAll: (isPicked: boolean) => void
  /** All that the list finds, at most `maxPicked`. Throws what a request throws. */
  pickMatching: () => Promise<void>
  clear: () => void
}

/** Users that one request may change. */
export const maxPicked = 1000

/** What was selected when the list was left. */
let left: ReadonlyMap<number, UserRow> = new Map()

/**
 * The rows that are selected. They stay so on other pages, with another filter or order, and while somebody looks at one of them, until
 * something is done with them.
 */
export const useSelection = (list: List<UserRow>, isPickable: (row: UserRow) => boolean, ownId: number): Selection => {
  const [picked, setPicked] = useState(left)
  const [without, setWithout] = useState<Selection['without']>()
  const keep = (next: ReadonlyMap<number, UserRow>) => {
    setWithout(undefined)
    left = next
    setPicked(next)
  }
  const pickable = list.data?.records.filter(isPickable) ?? []
  const here = pickable.filter(({ id }) => picked.has(id))
  // What the list shows now is newer than what was selected.
  const rows = [...new Map([...picked, ...here.map((row) => [row.id, row] as const)]).values()]
  const set = (changed: readonly UserRow[], isPicked: boolean) => {
    // Also after rows were waited for, meanwhile more may have been selected.
    const next = new Map(left)
    for (const row of changed) {
      if (isPicked) next.set(row.id, row)
      else next.delete(row.id)
    }
    keep(next)
  }
  return {
    pickable,
    rows,
    here,
    without,
    pick: (row, isPicked) => set([row], isPicked),
    pickAll: (isPicked) => set(pickable, isPicked),
    pickMatching: async () => {
      const found = await list.loadRows(maxPicked)
      const others = found.filter((row) => !isPickable(row))
      set(found.filter(isPickable), true)
      if (others.length > 0) setWithout(others.every(({ id }) => id === ownId) ? 'you' : 'others')
    },
    clear: () => keep(new Map()),
  }
}
