import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ref } from './ref.js'

/** A payload that is JSON already. `T` is what it says. */
export class Prepared<T> {
  /** Nothing at run time: keeps the texts of different payloads apart. */
  declare readonly payload: T

  constructor(readonly json: string) {}
}

/** Like `ref`, for a handler that returns the payload as JSON. */
export const prepared = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Prepared<Static<T>>>(ref(schema))
