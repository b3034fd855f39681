import type { Contact } from '../../db/sign-in-names.js'
import type { Attempts } from '../attempts/attempts.js'
import type { createDevices } from '../devices/device-cookie.js'
import type { Channel } from './channels.js'
import type { CodeClient } from './code-requests.js'
import type { Codes, CodeTry, CorrectCode } from './codes.js'

interface Collaborators {
  codes: Codes
  attempts: Pick<Attempts, 'limiterFor'>
  devices: Pick<ReturnType<typeof createDevices>, 'recognise'>
  addressKey: (address: string) => string
}

/** A try of a code outside of a sign-in. `subject` is the recipient under which tries are counted. */
export type TryOfCode = Omit<CodeTry, 'source'> & { code: string; subject: Contact }

/**
 * Checks a code, and counts a wrong one like that of a sign-in, in the same counters. Throws `invalid_code` and
 * `too_many_attempts`.
 */
export const createCodeTries =
  ({ codes, attempts, devices, addressKey }: Collaborators) =>
  async (
    channel: Channel,
    { code, subject, ...tried }: TryOfCode,
    client: Pick<CodeClient, 'address' | 'deviceHints'>,
  ): Promise<CorrectCode> => {
    const { tenantId } = tried
    const { address, deviceHints } = client
    const device = await devices.recognise(deviceHints, tenantId, subject)
    const codeTry = { ...tried, source: { address: addressKey(address), device } }
    const triedCode = await codes.describe(channel, codeTry)
    const limiter = await attempts.limiterFor({ tenantId, subject, address, device, code: triedCode })
    return limiter.run(() => codes.check(channel, codeTry, code, triedCode.isFirst))
  }

export type TryCode = ReturnType<typeof createCodeTries>
