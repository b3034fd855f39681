import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { publicUrlOf } from '../../../lib/public-url.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Content } from '../notices/layout.js'

type MailSettings = Pick<Settings, 'mail' | 'publicUrl' | 'issuer'>

export interface Mail extends Content {
  to: string
}

/** By which the service greets the mail server. The library takes the name of the machine, or an address where that has no dot. */
const greetingName = ({ mail, ...addresses }: MailSettings): string | undefined => {
  if (mail.hostname !== null) return mail.hostname
  const url = publicUrlOf(addresses)
  const host = url === undefined ? '' : new URL(url).hostname
  return isIP(host) === 0 && host.includes('.') ? host : undefined
}

/** Sends mail over SMTP. Throws where no server is configured. */
export const createMail = (settings: MailSettings) => {
  const { url, from, timeout } = settings.mail
  if (url === null) throw new Error('no mail server is configured')
  const name = greetingName(settings)
  const milliseconds = timeout * 1000
  const transport = createTransport(
    {
      url,
      ...(name === undefined ? {} : { name }),
      pool: true,
      connectionTimeout: milliseconds,
      greetingTimeout: milliseconds,
      socketTimeout: milliseconds,
      dnsTimeout: milliseconds,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Nobody's absence is to be answered to it (RFC 3834 5).
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
  return {
    /**
     * Sends a mail to one address. Resolves when the server has accepted the mail; rejects when it refuses or does not answer within `timeout` seconds.
     */
    async send(mail: Mail): Promise<void> {
      // As an object: the library would read a text as a list of addresses with names and comments (RFC 5322 3.4).
      await transport.sendMail({ ...mail, to: { name: '', address: mail.to } })
    },
    /** Rejects when the server cannot be reached or refuses the sign-in. */
    async verify(): Promise<void> {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

export type MailSender = ReturnType<typeof createMail>
