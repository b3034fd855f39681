import { createHmac } from 'node:crypto'
import { createOutbound, OutboundError } from '../../../lib/outbound.js'
import { FinalError, retry } from '../../../lib/retry.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'
import { required } from './required.js'
import type { SmsSender } from './message.js'

/** Delay before the first retry; it doubles for each further one. Milliseconds. */
const firstDelay = 200

/**
 * Posts messages as JSON. `X-Rollcall-Signature` is `sha256=` and the hex HMAC-SHA256, under the configured secret, of
 * the `X-Rollcall-Timestamp` header (epoch seconds), a dot and the body. A 2xx status means accepted; 4xx is not retried.
 */
export const createWebhookSender = ({ webhook, timeout, retries }: Settings['sms'], clock: Clock): SmsSender => {
  const { url, secret } = required('webhook', webhook)
  // The gateway is the operator's own, often beside the service.
  const outbound = createOutbound({ timeout, allowHttp: true, allowPrivateAddresses: true })
  const post = async (body: string) => {
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-rollcall-timestamp': timestamp,
      'x-rollcall-signature': `sha256=${signature}`,
    }
    const answered = await outbound.fetch(url, { method: 'POST', body, headers }).catch((error: unknown) => {
      if (error instanceof OutboundError && error.status === 429) return { status: error.status }
      throw error
    })
    const { status } = answered
    if (status >= 400) throw Object.assign(new FinalError(`the SMS webhook answered ${status}`), { status })
  }
  return (message) => retry(() => post(JSON.stringify(message)), retries, firstDelay)
}
