/** Whether two lists have the same items, in whatever order. */
export const areSame = (some: readonly string[], others: readonly string[]): boolean => {
  const known = new Set(others)
  return new Set(some).size === known.size && some.every((item) => known.has(item))
}
