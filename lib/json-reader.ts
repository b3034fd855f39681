import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Reads JSON of one shape, whoever wrote it. Undefined for text that is not JSON or has another shape: the caller
 * decides what that means, and refuses where somebody is to be let in.
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
