import { setImmediate } from 'node:timers/promises'

/**
 * Reads together what is asked for in one turn of the event loop, at most `max` keys at a time. Nothing is read before it is
 * asked for, so that an answer is never older than the question.
 */
export const shareReads = <Key, Value>(readMany: (keys: Key[]) => Promise<Map<Key, Value>>, max: number) => {
  let open: { keys: Set<Key>; values: Promise<Map<Key, Value>> } | undefined
  const begin = () => {
    const keys = new Set<Key>()
    const values = setImmediate().then(() => {
      if (open?.keys === keys) open = undefined
      return readMany([...keys])
    })
    return { keys, values }
  }
  return async (key: Key): Promise<Value | undefined> => {
    if (!open || open.keys.size >= max) open = begin()
    open.keys.add(key)
    return (await open.values).get(key)
  }
}
