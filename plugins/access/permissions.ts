/** `module:resource:action`. A granted `*` stands for any one segment. */
export type Permission = `${string}:${string}:${string}`

/** Whether one of the `granted` permissions covers `needed`. */
export const isGranted = (granted: readonly string[], needed: Permission): boolean => {
  const segments = needed.split(':')
  return granted.some((permission) => {
    const pattern = permission.split(':')
    return (
      pattern.length === segments.length &&
      pattern.every((segment, index) => segment === '*' || segment === segments[index])
    )
  })
}
