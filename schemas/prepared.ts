import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ref } from './ref.js'

/** A payload that is JSON already, in pieces of text and of UTF-8; `T` is what it says. */
export class Prepared<T> {
  /** Nothing at run time: keeps the texts of different payloads apart. */
  declare readonly payload: T
  readonly pieces: (string | Uint8Array)[]
  constructor(pieces: (string | Uint8Array)[]) {
    this.pieces = pieces
  }
}

/** Like `ref`, for a handler that returns the payload as JSON. */
export const prepared = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Prepared<Static<T>>>(ref(schema))
