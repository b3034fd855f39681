import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ref } from './ref.js'

/** A payload of type `T` that is already serialized, as the bytes of its JSON. */
export class Prepared<T> {
  /** Does not exist at run time. It makes the types of different payloads incompatible. */
  declare readonly payload: T

  constructor(readonly json: Buffer) {}
}

/** Like `ref`, for a handler that returns serialized JSON. */
export const prepared = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Prepared<Static<T>>>(ref(schema))
