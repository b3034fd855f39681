import { useLocation } from 'preact-iso/router'

/** What of a list is in the address, so that it can be sent to others, and survives a reload and the way back. */
export interface ListAddress {
  /** Of all parameters: filters by their names, and `page`, `size` and `sort`. */
  query: Record<string, string | undefined>
  /** An empty or absent value takes the parameter away. Any change but one of the page begins at the first page. */
  change: (changes: Record<string, string | undefined>, isReplacing?: boolean) => void
}

export const useListAddress = (): ListAddress => {
  const { path, query, route } = useLocation()
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
