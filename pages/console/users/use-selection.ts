import { useEffect, useState } from 'preact/hooks'
import { say } from '../../shared/frame/status-line.js'
import type { List } from '../list/use-list.js'
import { words } from '../words.js'
import type { UserRow } from '../values.js'

export interface Selection {
  /** The rows of the page that can be selected. */
  pickable: UserRow[]
  rows: UserRow[]
  pick: (row: UserRow, isPicked: boolean) => void
  pickAll: (isPicked: boolean) => void
  clear: () => void
}

/** The rows that are selected. They are of one page: another page, filter or order begins without any, and says so. */
export const useSelection = (list: List<UserRow>, isPickable: (row: UserRow) => boolean): Selection => {
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const pickable = list.data?.records.filter(isPickable) ?? []
  const rows = pickable.filter(({ id }) => picked.has(id))
  const clear = () => setPicked(new Set())

  const place = JSON.stringify(list.query)
  const [known, setKnown] = useState(place)
  useEffect(() => {
    if (place === known) return
    setKnown(place)
    if (rows.length > 0) say(words.users.selectionCleared)
    clear()
  }, [place])

  return {
    pickable,
    rows,
    pick(row, isPicked) {
      const others = [...picked].filter((id) => id !== row.id)
      setPicked(new Set(isPicked ? [...others, row.id] : others))
    },
    pickAll: (isPicked) => setPicked(new Set(isPicked ? pickable.map(({ id }) => id) : [])),
    clear,
  }
}
