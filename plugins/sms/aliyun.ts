import dysmsapi, { SendSmsRequest } from '@alicloud/dysmsapi20170525'
import { $OpenApiUtil } from '@alicloud/openapi-core'
import pRetry, { AbortError } from 'p-retry'
import type { Settings } from '../../schemas/settings.js'
import { required } from './required.js'
import type { SmsSender } from './senders.js'

// A CommonJS module: its class sits below the default import.
const { default: Client } = dysmsapi

/** Sends by Alibaba Cloud SMS, with its template parameter `code`. */
export const createAliyunSender = ({ aliyun, timeout, retries }: Settings['sms']): SmsSender => {
  const { endpoint, accessKeyId, accessKeySecret, signName, templateCode, protocol } = required('aliyun', aliyun)
  const milliseconds = timeout * 1000
  const client = new Client(
    new $OpenApiUtil.Config({
      endpoint,
      accessKeyId,
      accessKeySecret,
      protocol,
      connectTimeout: milliseconds,
      readTimeout: milliseconds,
    }),
  )
  const send = async (phone: string, code: string) => {
    const request = new SendSmsRequest({
      // Numbers of mainland China go without the country code, others without the plus.
      phoneNumbers: phone.startsWith('+86') ? phone.slice(3) : phone.slice(1),
      signName,
      templateCode,
      templateParam: JSON.stringify({ code }),
    })
    const { body } = await client.sendSms(request)
    // The request was understood and refused: asking again changes nothing.
    if (body?.code !== 'OK') throw new AbortError(`Alibaba Cloud SMS answered ${String(body?.code)}`)
  }
  return ({ phone, code }) => pRetry(() => send(phone, code), { retries, minTimeout: 200 })
}
