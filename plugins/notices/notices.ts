import PQueue from 'p-queue'
import type { User } from '../../db/repositories/users.js'
import type { Clock } from '../../lib/clock.js'
import type { MailSender } from '../mail/mail.js'
import { frame, texts, type Notice } from './texts.js'

/** Mails under way at once, and how many may wait: further ones are only logged. */
const concurrency = 2
const maxWaiting = 500

interface Collaborators {
  /** Undefined when no mail server is configured: then nobody is told. */
  mail: MailSender | undefined
  clock: Clock
  log: { error(details: object, message: string): void }
  service: string
}

const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '')

/** Tells people by mail what was changed about their account. In the background: no change waits for a mail server. */
export const createNotices = ({ mail, clock, log, service }: Collaborators) => {
  const queue = new PQueue({ concurrency })

  return {
    /** `address` is the network address that the change came from. */
    tell(user: User, notice: Notice, address: string, more: { platform?: string } = {}): void {
      const { email, id: userId, username } = user
      if (!mail || email === null) return
      const fail = (err: unknown) =>
        log.error({ err, userId, notice }, 'an owner could not be told of a change by mail')
      if (queue.size >= maxWaiting) {
        fail(new Error('too many mails are waiting'))
        return
      }
      const time = new Date(clock.now()).toISOString()
      const values = { service, username, address, time, ...more }
      const lines = (['en', 'zh'] as const).map((language) => `${texts[notice][language]}\n${frame[language]}`)
      const content = { subject: fill(frame.subject, values), text: fill(lines.join('\n\n'), values) }
      queue.add(() => mail.send({ to: email, ...content })).catch(fail)
    },

    /** Resolves when everything has been sent or has failed. */
    finish: () => queue.onIdle(),
  }
}

export type Notices = ReturnType<typeof createNotices>
