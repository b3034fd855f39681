import type { Clock } from '../../../lib/clock.js'
import { OperatorError } from '../../../lib/operator-error.js'
import type { Settings } from '../../../schemas/settings.js'
import { installAliyun } from '../../../schemas/settings-delivery.js'
import type { SmsSender } from './message.js'

interface Log {
  info(details: object, message: string): void
}

/** Writes messages to the log, for development. */
const createLogSender = (log: Log): SmsSender => {
  if (process.env['NODE_ENV'] === 'production') {
    throw new OperatorError(
      'Rollcall does not start: sms.sender `log` shows codes in the log and is refused with NODE_ENV=production.',
    )
  }
  return async ({ phone, text }) => log.info({ phone, text }, 'text message')
}

/** The SDK brings 36 packages, so only operators who use it install it. Throws an `OperatorError` where it is missing. */
const loadAliyun = async () => {
  try {
    return await import('./aliyun.js')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@alicloud/')) throw error
    throw new OperatorError(
      'Rollcall does not start: sms.sender is aliyun, and the SDK of Alibaba Cloud is not installed; run ' +
        `\`${installAliyun}\` in the folder of Rollcall.`,
      { cause: error },
    )
  }
}

/** The senders by the setting `sms.sender`. */
type Create = (settings: Settings['sms'], parts: { log: Log; clock: Clock }) => Promise<SmsSender | undefined>
const senders: Record<Settings['sms']['sender'], Create> = {
  none: async () => undefined,
  log: async (_settings, { log }) => createLogSender(log),
  // Loaded only where it is used: the client for requests to other services takes a while.
  webhook: async (settings, { clock }) => (await import('./webhook.js')).createWebhookSender(settings, clock),
  aliyun: async (settings) => (await loadAliyun()).createAliyunSender(settings),
}

/** The configured sender; undefined when there is none. Throws an `OperatorError` when a setting is missing. */
export const createSmsSender: Create = (settings, parts) => senders[settings.sender](settings, parts)
