import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ref } from './ref.js'

/**
 * A payload of type `T` that is already serialized: the text of its JSON, or its bytes. Text is sent in one piece with the
 * headers; bytes are not encoded and counted again, which counts for thousands of characters.
 */
export class Prepared<T> {
  /** Does not exist at run time. It makes the types of different payloads incompatible. */
  declare readonly payload: T

  constructor(readonly json: string | Buffer) {}
}

/** Like `ref`, for a handler that returns serialized JSON. */
export const prepared = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Prepared<Static<T>>>(ref(schema))
