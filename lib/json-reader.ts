import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Returns a function that reads JSON of one shape. It returns undefined for text that is not JSON or has another shape. The
 * caller decides what this means; where it grants access, it must refuse.
 */
export const jsonReader = <Schema extends TSchema>(schema: Schema): ((text: string) => Static<Schema> | undefined) => {
  const check = TypeCompiler.Compile(schema)
  return (text) => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return undefined
    }
    return check.Check(value) ? value : undefined
  }
}
