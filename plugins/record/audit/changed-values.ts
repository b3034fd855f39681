/** Fields of a record by their public names. */
export type Values = Record<string, string | number | boolean | null | undefined | string[]>

/** Longer texts are cut off: an avatar may be a whole picture. */
const maxLength = 200
const shorten = (value: Values[string]) =>
  typeof value === 'string' && value.length > maxLength ? `${value.slice(0, maxLength)}…` : value

const toJson = (values: Values | undefined, names: string[]): string | null => {
  if (!values) return null
  const known = names.filter((name) => values[name] !== undefined)
  return known.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(known.map((name) => [name, shorten(values[name])])))
}

/** JSON of the fields that differ; all of them when there is only one side. */
export const changedValues = (before: Values | undefined, after: Values | undefined) => {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const differ = (name: string) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name])
  const changed = before && after ? names.filter(differ) : names
  return { before: toJson(before, changed), after: toJson(after, changed) }
}
