import { Type } from '@sinclair/typebox'
import { nullableSetting } from './ref.js'

const closed = { additionalProperties: false }
const optionalText = (description: string) =>
  nullableSetting(Type.String({ minLength: 1 }), { default: null, description })

export const OneTimeCodes = Type.Object(
  {
    ttl: Type.Integer({ minimum: 60, maximum: 600, default: 300, description: 'Validity of a one-time code, seconds' }),
    interval: Type.Integer({
      minimum: 10,
      default: 60,
      description: 'Pause between two codes to one recipient, seconds',
    }),
    tries: Type.Integer({ minimum: 1, maximum: 10, default: 5, description: 'Wrong tries after which a code is dead' }),
    recipientPerDay: Type.Integer({
      minimum: 1,
      default: 10,
      description: 'Codes to one recipient in 24 hours before the pauses between them grow',
    }),
    addressPerDay: Type.Integer({
      minimum: 1,
      default: 100,
      description: 'Codes asked for by one address in 24 hours; further ones need a captcha',
    }),
    captcha: Type.Boolean({
      default: false,
      description: 'Whether a captcha must always be solved before a code is sent',
    }),
  },
  { ...closed, default: {} },
)

export const Mail = Type.Object(
  {
    url: nullableSetting(Type.String({ pattern: '^smtps?://.+' }), {
      default: null,
      description: '`smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`; null means that no mail is sent',
    }),
    from: Type.String({ default: 'Rollcall <no-reply@localhost>', minLength: 3, description: 'Sender of the mails' }),
    timeout: Type.Integer({
      minimum: 1,
      maximum: 120,
      default: 10,
      description: 'Seconds to wait for the mail server',
    }),
  },
  { ...closed, default: {} },
)

export const Sms = Type.Object(
  {
    sender: Type.Unsafe<'none' | 'log' | 'webhook' | 'aliyun'>(
      Type.String({
        enum: ['none', 'log', 'webhook', 'aliyun'],
        default: 'none',
        description: 'Who sends text messages; `log` writes them to the log and is refused with NODE_ENV=production',
      }),
    ),
    timeout: Type.Integer({ minimum: 1, maximum: 120, default: 5, description: 'Seconds to wait for the sender' }),
    retries: Type.Integer({ minimum: 0, maximum: 5, default: 2, description: 'Further tries after a failed one' }),
    webhook: Type.Object(
      {
        url: nullableSetting(Type.String({ pattern: '^https?://.+' }), {
          default: null,
          description: 'an address with http:// or https:// that receives the messages; null means none',
        }),
        secret: optionalText('Key of the HMAC-SHA256 signature'),
      },
      { ...closed, default: {} },
    ),
    aliyun: Type.Object(
      {
        endpoint: Type.String({ default: 'dysmsapi.aliyuncs.com', description: 'Host of Alibaba Cloud SMS' }),
        accessKeyId: optionalText('Access key'),
        accessKeySecret: optionalText('Its secret'),
        signName: optionalText('Signature of the messages'),
        templateCode: optionalText('Template with the parameter `code`'),
        protocol: Type.String({ enum: ['https', 'http'], default: 'https', description: '`http` only for tests' }),
      },
      { ...closed, default: {} },
    ),
  },
  { ...closed, default: {} },
)
