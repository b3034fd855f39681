import { useLocation } from 'preact-iso/router'
import { useLayoutEffect } from 'preact/hooks'
import { addressOf } from '../console.js'

/** What of a list is in the address, so that it can be sent to others, and survives a reload and the way back. */
export interface ListAddress {
  /** Of all parameters: filters by their names, and `page`, `size` and `sort`. */
  query: Record<string, string | undefined>
  /** An empty or absent value takes the parameter away. Any change but one of the page begins at the first page. */
  change: (changes: Record<string, string | undefined>, isReplacing?: boolean) => void
}

/** The address of each list as it was last shown, by its path. In memory only: what somebody searches for can be the name or number of a person. */
const lastShown = new Map<string, string>()

/** The way back to a list of the console, with its search, filters, order and page. */
export const backTo = (page: string): string => lastShown.get(addressOf(page)) ?? addressOf(page)

export const useListAddress = (): ListAddress => {
  const { path, query, route, url } = useLocation()
  useLayoutEffect(() => void lastShown.set(path, url), [path, url])
  return {
    query,
    change(changes, isReplacing = false) {
      const parameters: Record<string, string | undefined> = { ...query, page: undefined, ...changes }
      const next = new URLSearchParams(
        Object.entries(parameters).flatMap(([name, value]) =>
          value === undefined || value === '' ? [] : [[name, value]],
        ),
      ).toString()
      route(path + (next && `?${next}`), isReplacing)
    },
  }
}
