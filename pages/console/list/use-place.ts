import { useLayoutEffect, useRef } from 'preact/hooks'
import type { List } from './use-list.js'

/** Where the list of each name was left: in which order and filter, and how far down. Pixels. */
const left = new Map<string, { query: string; top: number }>()

/** Whoever comes back to a list finds the place again from which a row was opened. */
export const usePlace = (name: string, { query, data }: Pick<List<unknown>, 'query' | 'data'>): void => {
  const current = useRef('')
  current.current = JSON.stringify(query)
  useLayoutEffect(() => {
    // When the list goes, the router has scrolled to the top of the next page already.
    const keep = () => void left.set(name, { query: current.current, top: scrollY })
    addEventListener('click', keep, true)
    return () => removeEventListener('click', keep, true)
  }, [])
  const isThere = data !== undefined
  useLayoutEffect(() => {
    const place = left.get(name)
    if (isThere && place?.query === current.current) scrollTo(0, place.top)
  }, [isThere])
}
