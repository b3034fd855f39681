import type { Installation } from '../../app.js'
import { machineClock } from '../../lib/clock.js'
import { attempt, findingsOf, type Finding } from './finding.js'

const checkMail = async ({ settings }: Installation, recipient: string | undefined): Promise<Finding[]> => {
  const { ok, warning, fault } = findingsOf('mail')
  const { url, ...rest } = settings.mail
  if (url === null) {
    const advice = 'Set SMTP_URL.'
    if (recipient !== undefined) return [fault('no mail server is configured, so nothing was sent', advice)]
    return [warning('no mail server is configured: no email_captcha and no notices', advice)]
  }
  const { createMail } = await import('../../plugins/record/mail/mail.js')
  const mail = createMail({ url, ...rest })
  try {
    await mail.verify()
    if (recipient === undefined) return [ok('the mail server accepts the connection')]
    const { layOut } = await import('../../plugins/record/notices/layout.js')
    const { serviceName, branding } = settings
    const text = `This is a test of the mail settings of ${serviceName}. Nothing is to be done.`
    const layout = { service: serviceName, color: branding.color }
    await mail.send({
      to: recipient,
      ...layOut(layout, `Test of ${serviceName}`, [{ language: 'en', blocks: [text] }]),
    })
    return [ok(`the mail server has accepted a mail to ${recipient}`)]
  } finally {
    mail.close()
  }
}

const checkSms = async ({ settings }: Installation, number: string | undefined): Promise<Finding[]> => {
  const { ok, warning, fault } = findingsOf('text messages')
  const { sender } = settings.sms
  const log = { info: (details: object) => void process.stderr.write(`${JSON.stringify(details)}\n`) }
  const { createSmsSender } = await import('../../plugins/record/sms/senders.js')
  const send = await createSmsSender(settings.sms, { log, clock: machineClock })
  if (number === undefined) {
    if (sender !== 'log') return [ok(send ? `sms.sender is ${sender}` : 'no sender is configured: no phone_captcha')]
    return [
      warning('sms.sender is log: codes are in the log', 'Set sms.sender to webhook or aliyun outside of development.'),
    ]
  }
  const { readNewPhone } = await import('../../plugins/people/write/contacts.js')
  const phone = readNewPhone(number, settings.phoneRegion)?.key
  if (phone === undefined)
    return [fault(`${number} is not a phone number`, 'Write it with its country code, such as +86….')]
  if (!send) return [fault('no sender is configured, so nothing was sent', 'Set sms.sender.')]
  const text = `Test of ${settings.serviceName}. Nothing is to be done.`
  await send({ phone, code: '000000', text, language: 'en' })
  return [ok(`${sender} has accepted a message to ${phone}`)]
}

/** Checks what sends codes and notices; sends only to the recipients that the operator names. */
export const checkDelivery = async (
  installation: Installation,
  { sendMail, sendSms }: { sendMail?: string; sendSms?: string },
): Promise<Finding[]> => [
  ...(await attempt(
    'mail',
    () => checkMail(installation, sendMail),
    'Look at SMTP_URL, and whether this machine may reach the mail server.',
  )),
  ...(await attempt(
    'text messages',
    () => checkSms(installation, sendSms),
    'Look at the settings sms.* in config.json.',
  )),
]
