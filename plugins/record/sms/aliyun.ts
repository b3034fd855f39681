import dysmsapi, { SendSmsRequest } from '@alicloud/dysmsapi20170525'
import { $OpenApiUtil } from '@alicloud/openapi-core'
import { FinalError, retry } from '../../../lib/retry.js'
import type { Settings } from '../../../schemas/settings.js'
import { required } from './required.js'
import type { SmsSender } from './message.js'

// A CommonJS module: the class is a property of the default import.
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
      // The API expects numbers of mainland China without country code, and others with it but without the plus sign.
      phoneNumbers: phone.startsWith('+86') ? phone.slice(3) : phone.slice(1),
      signName,
      templateCode,
      templateParam: JSON.stringify({ code }),
    })
    const { body } = await client.sendSms(request)
    // The API has refused the request, so it is not retried.
    if (body?.code !== 'OK') throw new FinalError(`Alibaba Cloud SMS answered ${String(body?.code)}`)
  }
  return async ({ phone, code }) => {
    // Each text needs an approved template, and the configured one is for codes: notices go by mail only.
    if (code !== undefined) await retry(() => send(phone, code), retries, 200)
  }
}
