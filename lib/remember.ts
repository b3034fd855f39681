/**
 * Remembers the results of `make`, at most `max` of them: then all are forgotten. Unlike a cache that drops the
 * oldest one, it keeps no order, which costs time where a request asks for dozens of results.
 */
export const remember = <Key, Value>(max: number, make: (key: Key) => Value) => {
  const known = new Map<Key, Value>()
  const add = (key: Key): Value => {
    const value = make(key)
    if (known.size >= max) known.clear()
    known.set(key, value)
    return value
  }
  return { of: (key: Key): Value => known.get(key) ?? add(key), forget: () => known.clear() }
}
