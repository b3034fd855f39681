import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ref } from './ref.js'

/** A payload that is JSON text already; `T` is what it says. */
export class Prepared<T> {
  /** Nothing at run time: keeps the texts of different payloads apart. */
  declare readonly payload: T
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Like `ref`, for a handler that returns the payload as JSON text. */
export const prepared = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Prepared<Static<T>>>(ref(schema))
