import { isLoopback } from '../../../lib/loopback.js'
import { readSender } from '../../../lib/sender.js'
import type { Settings } from '../../../schemas/settings.js'

/** What is wrong with a sender that no other server takes; undefined if nothing is, or if the mail server is for trying things out. */
export const senderAdvice = ({ url, from }: Pick<Settings['mail'], 'url' | 'from'>): string | undefined => {
  if (url === null || isLoopback(new URL(url).hostname)) return undefined
  const domain = readSender(from)?.address.split('@')[1]
  return domain === 'localhost'
    ? `mails come from ${from}, which most servers refuse: set MAIL_FROM (mail.from) to an address of your domain`
    : undefined
}
