import type { Settings } from '../../schemas/settings.js'
import { createLogSender, type Log } from './log.js'
import { createWebhookSender } from './webhook.js'

export interface TextMessage {
  /** E.164. */
  phone: string
  code: string
  text: string
  language: string
}

/** Resolves when the message was taken; rejects when it was not. */
export type SmsSender = (message: TextMessage) => Promise<void>

/** Who can send, by the setting `sms.sender`. */
type Create = (settings: Settings['sms'], log: Log) => Promise<SmsSender | undefined>
const senders: Record<Settings['sms']['sender'], Create> = {
  none: async () => undefined,
  log: async (_settings, log) => createLogSender(log),
  webhook: async (settings) => createWebhookSender(settings),
  // The SDK takes a while to load: only those who use it wait for it.
  aliyun: async (settings) => (await import('./aliyun.js')).createAliyunSender(settings),
}

/** The configured sender; undefined when there is none. Throws a `OperatorError` when it lacks a setting. */
export const createSmsSender = (settings: Settings['sms'], log: Log): Promise<SmsSender | undefined> =>
  senders[settings.sender](settings, log)
