import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { request } from '../../shared/session/entered.js'
import { toFault, type Fault } from '../../shared/session/fault.js'
import { useListAddress, type ListAddress } from './address.js'

interface PageOf<Row> {
  records: Row[]
  total: number
}
/** The requests that answer a page of a list. */
export type ListName = {
  [N in keyof Operations]: Operations[N]['data'] extends PageOf<unknown> ? N : never
}[keyof Operations]
export type RowOf<N extends ListName> = Operations[N]['data']['records'][number]

/** Rows on a page. The first is that of the start. */
export const sizes = [20, 10, 50, 100]
const largest = 100

type Filters = Record<string, string | undefined>

interface ListOptions {
  /** Column of the order at the start; with `-` the largest first. */
  sort: string
  /** Names of the filters in the address. */
  filters?: readonly string[]
  /** The parameters of the request for the filters that are set; absent means that they have the same names. */
  toQuery?: (filters: Filters) => Record<string, string | number | undefined>
}

export interface List<Row> extends Pick<ListAddress, 'query' | 'change'> {
  /** The rows that are shown: those of before until the next ones are there. */
  data: PageOf<Row> | undefined
  fault: Fault | undefined
  isLoading: boolean
  page: number
  size: number
  sort: { column: string; isDescending: boolean }
  /** Whether a filter or a search leaves rows out. */
  isFiltered: boolean
  clear: () => void
  reload: () => void
  /** The first `max` rows of all pages. Throws what a request throws. */
  loadRows: (max: number) => Promise<Row[]>
}

const toNumber = (text: string | undefined, least: number): number => {
  const number = Number(text)
  return Number.isSafeInteger(number) && number >= least ? number : least
}

/**
 * A page of a list, as its address says. A change of the address sends one request and gives up the one before. A page past the end
 * becomes the last one.
 */
export const useList = <N extends ListName>(
  name: N,
  { sort: firstSort, filters = [], toQuery = (given) => given }: ListOptions,
): List<RowOf<N>> => {
  const { query, change } = useListAddress()
  const [data, setData] = useState<PageOf<RowOf<N>>>()
  const [fault, setFault] = useState<Fault>()
  const [isLoading, setLoading] = useState(true)
  const [version, setVersion] = useState(0)
  const page = toNumber(query['page'], 1)
  const size = sizes.find((one) => String(one) === query['size']) ?? 20
  const order = query['sort'] ?? firstSort
  const sort = { column: order.replace(/^-/, ''), isDescending: order.startsWith('-') }
  const given = Object.fromEntries(filters.map((filter) => [filter, query[filter]]))
  const sent = {
    pageNum: page,
    pageSize: size,
    orderByColumn: sort.column,
    isAsc: sort.isDescending ? 'desc' : 'asc',
    ...toQuery(given),
  }
  const reload = () => setVersion((before) => before + 1)

  // Before the browser paints: the request does not wait for a frame.
  useLayoutEffect(() => {
    const abort = new AbortController()
    setLoading(true)
    // The parameters of all lists; each request knows its own filters.
    const input = { query: sent, signal: abort.signal } as unknown as Parameters<typeof request<N>>[1]
    request(name, input)
      .then((answer) => {
        if (abort.signal.aborted) return
        const { records, total } = answer as PageOf<RowOf<N>>
        const last = Math.max(1, Math.ceil(total / size))
        if (page > last) {
          change({ page: String(last) }, true)
          return
        }
        setData({ records, total })
        setFault(undefined)
        setLoading(false)
      })
      .catch((error: unknown) => {
        if (abort.signal.aborted) return
        setFault(toFault(error))
        setLoading(false)
      })
    return () => abort.abort()
  }, [name, version, JSON.stringify(sent)])

  useEffect(() => {
    if (!fault) return
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [fault])

  return {
    query,
    change,
    data,
    fault,
    isLoading,
    page,
    size,
    sort,
    isFiltered: filters.some((filter) => query[filter] !== undefined),
    loadRows: async (max) => {
      const rows: RowOf<N>[] = []
      for (let pageNum = 1; rows.length < max; pageNum++) {
        const input = { query: { ...sent, pageNum, pageSize: largest } } as unknown as Parameters<typeof request<N>>[1]
        const { records } = (await request(name, input)) as PageOf<RowOf<N>>
        rows.push(...records)
        if (records.length < largest) break
      }
      return rows.slice(0, max)
    },
    clear: () => change(Object.fromEntries(filters.map((filter) => [filter, undefined]))),
    reload,
  }
}
