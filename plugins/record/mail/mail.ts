import { createTransport } from 'nodemailer'
import type { Settings } from '../../../schemas/settings.js'
import type { Content } from '../notices/layout.js'

export interface Mail extends Content {
  to: string
}

/** Sends mail over SMTP. */
export const createMail = ({ url, from, timeout }: Pick<Settings['mail'], 'from' | 'timeout'> & { url: string }) => {
  const milliseconds = timeout * 1000
  const transport = createTransport(
    {
      url,
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
