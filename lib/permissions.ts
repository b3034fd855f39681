/** `module:resource:action`. In a granted permission `*` stands for any one segment. */
export type Permission = `${string}:${string}:${string}`

export const isPermission = (value: unknown): value is Permission =>
  typeof value === 'string' && /^[^:\s]+:[^:\s]+:[^:\s]+$/.test(value)

/** Returns a function that says whether a granted permission covers `needed`. */
export const covers = (needed: Permission): ((granted: string) => boolean) => {
  const segments = needed.split(':')
  return (granted) => {
    if (granted === needed || granted === '*:*:*') return true
    const pattern = granted.split(':')
    return (
      pattern.length === segments.length &&
      pattern.every((segment, index) => segment === '*' || segment === segments[index])
    )
  }
}
