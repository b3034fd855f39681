import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ref } from './ref.js'

/** A payload that is JSON already: UTF-8 between two texts. `T` is what it says. */
export class Prepared<T> {
  /** Nothing at run time: keeps the texts of different payloads apart. */
  declare readonly payload: T

  constructor(
    private readonly head: string,
    private readonly body: Uint8Array,
    private readonly tail: string,
  ) {}

  /** The payload between two further texts, in one piece. */
  between(before: string, after: string): Buffer {
    const [start, end] = [before + this.head, this.tail + after]
    const startLength = Buffer.byteLength(start)
    const bodyEnd = startLength + this.body.length
    const whole = Buffer.allocUnsafe(bodyEnd + Buffer.byteLength(end))
    whole.write(start, 0)
    whole.set(this.body, startLength)
    whole.write(end, bodyEnd)
    return whole
  }
}

/** Like `ref`, for a handler that returns the payload as JSON. */
export const prepared = <T extends TSchema & { $id?: string }>(schema: T) =>
  Type.Unsafe<Prepared<Static<T>>>(ref(schema))
