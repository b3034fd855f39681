import { createHmac } from 'node:crypto'
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
  const post = async (body: string) => {
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout * 1000),
      headers: {
        'content-type': 'application/json',
        'x-rollcall-timestamp': timestamp,
        'x-rollcall-signature': `sha256=${signature}`,
      },
    })
    await response.body?.cancel()
    const failure = `the SMS webhook answered ${response.status}`
    const { status } = response
    if (status >= 400 && status < 500) throw Object.assign(new FinalError(failure), { status })
    if (!response.ok) throw Object.assign(new Error(failure), { status })
  }
  return (message) => retry(() => post(JSON.stringify(message)), retries, firstDelay)
}
