import { frame } from '../language/frame-words.js'
import { duration } from '../language/language.js'
import { isRefusal, Refusal } from '../session/fault.js'

/** Says of a wrong code that is right at another time that the clock of the phone is wrong. `send` sends the field `code`. */
export const withClock = async <T>(send: () => Promise<T>): Promise<T> => {
  try {
    return await send()
  } catch (error) {
    const offset = isRefusal(error, 'invalid_code') ? Number(error.data['clockOffset'] ?? 0) : 0
    if (offset === 0) throw error
    const time = duration(Math.abs(offset))
    throw new Refusal('', { code: offset > 0 ? frame.clockAhead(time) : frame.clockBehind(time) })
  }
}
