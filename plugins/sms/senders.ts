import type { Settings } from '../../schemas/settings.js'
import { createAliyunSender } from './aliyun.js'
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
const senders: Record<Settings['sms']['sender'], (settings: Settings['sms'], log: Log) => SmsSender | undefined> = {
  none: () => undefined,
  log: (_settings, log) => createLogSender(log),
  webhook: createWebhookSender,
  aliyun: createAliyunSender,
}

/** The configured sender; undefined when there is none. Throws a `OperatorError` when it lacks a setting. */
export const createSmsSender = (settings: Settings['sms'], log: Log): SmsSender | undefined =>
  senders[settings.sender](settings, log)
