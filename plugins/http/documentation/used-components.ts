import { nameOf, type Document, type Schema } from './document.js'

/** Removes the shapes that no operation of the document uses: those of other documents. */
export const keepUsedShapes = ({ paths, components: { schemas } }: Document): void => {
  const used = new Set<string>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const name = nameOf(part as Schema)
    if (name !== undefined && !used.has(name)) {
      used.add(name)
      visit(schemas[name])
    }
    Object.values(part).forEach(visit)
  }
  visit(paths)
  for (const name of Object.keys(schemas)) if (!used.has(name)) Reflect.deleteProperty(schemas, name)
}
