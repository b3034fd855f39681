import { LRUCache } from 'lru-cache'
import type { IdList } from './id-list.js'

/** Bytes of an entry beside its ids. */
const overhead = 1000
/** Six lists of a million users. */
const defaultMemory = 24 * 2 ** 20
/** Searches leave many short lists, of some 3 KB each whatever they contain. */
const maxLists = 500

/** Lists in memory, which take up to `listMemory` bytes. The least recently used one goes first. */
export const createListCache = <Entry extends { list: IdList }>(listMemory = defaultMemory) =>
  new LRUCache<string, Entry>({
    max: maxLists,
    maxSize: listMemory,
    sizeCalculation: ({ list }) => list.ids.byteLength + overhead,
  })
