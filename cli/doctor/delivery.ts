import { existsSync } from 'node:fs'
import type { Installation } from '../../app.js'
import { databaseFile } from '../../db/engines.js'
import { senderAdvice } from '../../plugins/record/mail/sender-advice.js'
import { machineClock } from '../../lib/clock.js'
import type { Way } from '../../plugins/record/deliveries/deliveries.js'
import { attempt, findingsOf, type Finding } from './finding.js'

/** The console tells no longer that the last message could not be delivered. A test that has arrived has, whatever the database does. */
const forgetFailure = async ({ settings, directory }: Installation, way: Way): Promise<void> => {
  const file = databaseFile(settings.databaseUrl, directory)
  if (file !== undefined && !existsSync(file)) return
  const { openDatabase } = await import('../../db/index.js')
  const { createDeliveries } = await import('../../plugins/record/deliveries/deliveries.js')
  await attempt('database', async () => {
    const db = await openDatabase(settings.databaseUrl, directory)
    try {
      const store = db.createStore(() => machineClock.now())
      await createDeliveries({ store, clock: machineClock }).delivered(way)
      return []
    } finally {
      await db.close()
    }
  })
}

const checkMail = async (installation: Installation, recipient: string | undefined): Promise<Finding[]> => {
  const { settings } = installation
  const { ok, warning, fault } = findingsOf('mail')
  if (settings.mail.url === null) {
    const advice = 'Set mail.url (SMTP_URL).'
    if (recipient !== undefined) return [fault('no mail server is configured, so nothing was sent', advice)]
    return [warning('no mail server is configured: no email_captcha and no notices', advice)]
  }
  const { createMail } = await import('../../plugins/record/mail/mail.js')
  const mail = createMail(settings)
  const senderFault = senderAdvice(settings.mail)
  const warnings = senderFault === undefined ? [] : [warning(senderFault, 'No mail arrives until then.')]
  try {
    await mail.verify()
    if (recipient === undefined) return [ok('the mail server accepts the connection'), ...warnings]
    const { layOut } = await import('../../plugins/record/notices/layout.js')
    const { serviceName, branding } = settings
    const text = `This is a test of the mail settings of ${serviceName}. Nothing is to be done.`
    const layout = { service: serviceName, color: branding.color }
    await mail.send({
      to: recipient,
      ...layOut(layout, `Test of ${serviceName}`, [{ language: 'en', blocks: [text] }]),
    })
    await forgetFailure(installation, 'mail')
    return [ok(`the mail server has accepted a mail to ${recipient}`), ...warnings]
  } catch (error) {
    const { message, command } = error as Error & { command?: string }
    // Many servers check the greeting when they are told the recipient.
    if (!/^(EHLO|HELO)$/.test(command ?? '') && !/\b(helo|ehlo)\b/i.test(message)) throw error
    const advice =
      'Set mail.hostname in config.json to the name with a dot under which the mail server knows this machine.'
    return [fault(`the mail server refuses the name by which the service greets it: ${message}`, advice)]
  } finally {
    mail.close()
  }
}

const checkSms = async (installation: Installation, number: string | undefined): Promise<Finding[]> => {
  const { ok, warning, fault } = findingsOf('text messages')
  const { settings } = installation
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
  const { readNewPhone } = await import('../../plugins/identity/contacts/phone-numbers.js')
  const phone = readNewPhone(number, settings.phoneRegion)?.key
  if (phone === undefined)
    return [fault(`${number} is not a phone number`, 'Write it with its country code, such as +86….')]
  if (!send) return [fault('no sender is configured, so nothing was sent', 'Set sms.sender.')]
  const text = `Test of ${settings.serviceName}. Nothing is to be done.`
  await send({ phone, code: '000000', text, language: 'en' })
  await forgetFailure(installation, 'sms')
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
    'Look at mail.url (SMTP_URL), and whether this machine may reach the mail server.',
  )),
  ...(await attempt(
    'text messages',
    () => checkSms(installation, sendSms),
    'Look at the settings sms.* in config.json.',
  )),
]
