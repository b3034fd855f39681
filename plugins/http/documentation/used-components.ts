import type { Document } from './document.js'

/** All references in a part of the document. */
const referencesIn = (part: unknown): string[] => {
  if (typeof part !== 'object' || part === null) return []
  const { $ref } = part as { $ref?: unknown }
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(part).flatMap(referencesIn)]
}

/** Removes the shapes that no operation of the document uses: those of other documents. */
export const keepUsedShapes = ({ paths, components }: Document): void => {
  const sections = components as Record<string, Record<string, unknown> | undefined>
  const used = new Set<string>()
  const visit = (part: unknown): void => {
    for (const reference of referencesIn(part)) {
      if (used.has(reference)) continue
      used.add(reference)
      const [section = '', name = ''] = reference.split('/').slice(-2)
      visit(sections[section]?.[name])
    }
  }
  visit(paths)
  for (const name of Object.keys(components.schemas))
    if (!used.has(`#/components/schemas/${name}`)) Reflect.deleteProperty(components.schemas, name)
}
