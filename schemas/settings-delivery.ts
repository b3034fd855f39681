import { Type } from '@sinclair/typebox'
import { nullable, oneWord } from './ref.js'

const closed = { additionalProperties: false }
const optionalText = (description: string) => nullable(Type.String({ minLength: 1 }), { default: null, description })

/**
 * Installs the SDK of Alibaba Cloud into the folder above Rollcall, where Node.js looks for packages, too: what is added to the
 * packages of Rollcall itself is removed by the `npm ci` of the next upgrade.
 */
export const installAliyun = 'npm install --prefix .. @alicloud/dysmsapi20170525@4 @alicloud/openapi-core@1'

export const OneTimeCodes = Type.Object(
  {
    ttl: Type.Integer({ minimum: 60, maximum: 600, default: 300, description: 'Seconds a one-time code is valid' }),
    interval: Type.Integer({
      minimum: 10,
      default: 60,
      description: 'Seconds between two codes to one recipient',
    }),
    tries: Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 5,
      description: 'Wrong attempts after which a code is no longer accepted',
    }),
    recipientPerDay: Type.Integer({
      minimum: 1,
      default: 10,
      description:
        'Codes that unknown devices may request for one recipient in 24 hours; after that, `interval` doubles with each code, up to four hours, unless a captcha is solved',
    }),
    addressPerDay: Type.Integer({
      minimum: 1,
      default: 100,
      description: 'Codes that one IP address may request in 24 hours without a captcha',
    }),
    captcha: Type.Boolean({
      default: false,
      description: '`true` requires a captcha for every code',
    }),
  },
  { ...closed, default: {}, description: 'One-time codes of `phone_captcha` and `email_captcha`.' },
)

export const Mail = Type.Object(
  {
    url: nullable(Type.String({ pattern: '^smtps?://.+' }), {
      default: null,
      description:
        '`smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`; `null` means that no mail is sent and there is no `email_captcha`',
    }),
    from: Type.String({
      default: 'Rollcall <no-reply@localhost>',
      format: 'sender',
      description: 'Sender of the mails: one address, with a name or without',
    }),
    hostname: nullable(
      Type.String({ pattern: '^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]*$' }),
      {
        default: null,
        description:
          'name with a dot by which the service greets the mail server (EHLO), such as `id.example.com`; `null` means the host of `publicUrl`, or else that of the machine. Many servers refuse mail from a name without a dot',
      },
    ),
    timeout: Type.Integer({
      minimum: 1,
      maximum: 120,
      default: 10,
      description: 'Seconds to wait for the mail server',
    }),
    language: oneWord(['user', 'en', 'zh', 'both'], {
      default: 'user',
      description:
        'Language of notices and invitations: `user` is that of the last sign-in of the person, and both as long as it is unknown. One-time codes come in the language of the request',
    }),
    newDevice: Type.Boolean({
      default: true,
      description: '`true` tells users by mail when somebody signs in to their account on a new device',
    }),
  },
  { ...closed, default: {}, description: 'The mail server, for `email_captcha` and for notices to users.' },
)

export const Sms = Type.Object(
  {
    sender: oneWord(['none', 'log', 'webhook', 'aliyun'], {
      default: 'none',
      description:
        '`log` writes messages to the log and is refused with `NODE_ENV=production`; with `none` there is no `phone_captcha`',
    }),
    timeout: Type.Integer({ minimum: 1, maximum: 120, default: 5, description: 'Seconds to wait for the sender' }),
    retries: Type.Integer({ minimum: 0, maximum: 5, default: 2, description: 'Further attempts after a failed one' }),
    webhook: Type.Object(
      {
        url: nullable(Type.String({ pattern: '^https?://.+' }), {
          default: null,
          description:
            'a URL with http:// or https:// that receives `{ phone, code, text, language }` as JSON, notices without `code`; `null` means none',
        }),
        secret: optionalText('Key of the HMAC-SHA256 signature in the header `X-Rollcall-Signature`'),
      },
      { ...closed, default: {} },
    ),
    aliyun: Type.Object(
      {
        endpoint: Type.String({ default: 'dysmsapi.aliyuncs.com', description: 'Host of Alibaba Cloud SMS' }),
        accessKeyId: optionalText('Id of the access key'),
        accessKeySecret: optionalText('Secret of the access key'),
        signName: optionalText('Signature name that the messages show'),
        templateCode: optionalText('Code of a message template that has the parameter `code`'),
        protocol: Type.String({ enum: ['https', 'http'], default: 'https', description: '`http` only for tests' }),
      },
      { ...closed, default: {} },
    ),
  },
  {
    ...closed,
    default: {},
    description:
      'The sender of text messages, for `phone_captcha`. `aliyun` needs the SDK of Alibaba Cloud, which is not installed with Rollcall. ' +
      `Run \`${installAliyun}\` in the folder of Rollcall: this installs it into the folder above, where upgrades of Rollcall leave it ` +
      '([with a container](deployment.md#text-messages-by-alibaba-cloud)).',
  },
)
