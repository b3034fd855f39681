import PQueue from 'p-queue'
import type { User } from '../../db/repositories/users.js'
import type { Clock } from '../../lib/clock.js'
import type { MailSender } from '../mail/mail.js'
import { frame, texts, type Notice } from './texts.js'

/** Mails sent at the same time. */
const concurrency = 2
/** Mails that may wait; further ones are dropped and logged. */
const maxWaiting = 500

interface Collaborators {
  /** Undefined when no mail server is configured; notices are then not sent. */
  mail: MailSender | undefined
  clock: Clock
  log: { error(details: object, message: string): void }
  service: string
}

const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '')

/** Sends notices of account changes to the owner by mail, in the background: requests do not wait for the mail server. */
export const createNotices = ({ mail, clock, log, service }: Collaborators) => {
  const queue = new PQueue({ concurrency })

  return {
    /** `address` is the network address that the change came from. */
    tell(user: User, notice: Notice, address: string, more: { platform?: string } = {}): void {
      const { email, id: userId, username } = user
      if (!mail || email === null) return
      const fail = (err: unknown) =>
        log.error({ err, userId, notice }, 'a notice of an account change could not be sent by mail')
      if (queue.size >= maxWaiting) {
        fail(new Error('the mail queue is full'))
        return
      }
      const time = new Date(clock.now()).toISOString()
      const values = { service, username, address, time, ...more }
      const lines = (['en', 'zh'] as const).map((language) => `${texts[notice][language]}\n${frame[language]}`)
      const content = { subject: fill(frame.subject, values), text: fill(lines.join('\n\n'), values) }
      queue.add(() => mail.send({ to: email, ...content })).catch(fail)
    },

    /** Resolves when all mails have been sent or have failed. */
    finish: () => queue.onIdle(),
  }
}

export type Notices = ReturnType<typeof createNotices>
