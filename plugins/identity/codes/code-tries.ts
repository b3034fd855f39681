import type { Contact } from '../../../db/sign-in-names.js'
import type { Channel } from './channels.js'
import type { CodeClient } from './code-requests.js'
import type { Codes, CodeTry, CorrectCode } from './codes.js'
import type { Needs } from '../../../lib/needs.js'
import { addressKey } from '../../../lib/address-key.js'

/** A try of a code outside of a sign-in. `subject` is the recipient under which tries are counted. */
export type TryOfCode = Omit<CodeTry, 'source'> & { code: string; subject: Contact }

/**
 * Checks a code, and counts a wrong one like that of a sign-in, in the same counters. Throws `invalid_code` and
 * `too_many_attempts`.
 */
export const createCodeTries =
  ({ attempts }: Needs<'attempts'>, codes: Codes) =>
  async (
    channel: Channel,
    { code, subject, ...tried }: TryOfCode,
    { address, devices }: Pick<CodeClient, 'address' | 'devices'>,
  ): Promise<CorrectCode> => {
    const { tenantId } = tried
    const device = await devices.recognise(tenantId, subject)
    const found = await codes.find(channel, { ...tried, source: { address: addressKey(address), device } })
    const limiter = await attempts.limiterFor({ tenantId, subject, address, device, code: found.tried })
    return limiter.run(() => found.check(code))
  }

export type TryCode = ReturnType<typeof createCodeTries>
