import PQueue from 'p-queue'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import type { ActorSource } from '../../../lib/actor.js'
import { languageOfTag, pickLanguage } from '../../../lib/language.js'
import type { Composer } from './compose.js'
import type { Notice } from './notice-texts.js'

/** Messages sent at the same time. */
const concurrency = 2
/** Messages that may wait; further ones are dropped and logged. */
const maxWaiting = 500
/** Notices of one kind to one user in 24 hours; further ones are dropped, so that nobody can flood a mailbox. */
const maxPerDay = 20
const day = 24 * 3600 * 1000

/** Tells owners about changes of their accounts, in the background: requests do not wait, and do not fail with it. */
export const createNotices = (
  needs: Needs<'clock' | 'log' | 'mail' | 'sendSms' | 'store' | 'timeZone'>,
  composer: Pick<Composer, 'notice' | 'shortNotice'>,
) => {
  const { clock, log, mail, sendSms, store, timeZone } = needs
  const queue = new PQueue({ concurrency })

  const enqueue = (userId: number, notice: Notice, way: 'mail' | 'sms', send: () => Promise<void>): void => {
    const fail = (err: unknown) =>
      log.error({ err, userId, notice, way }, 'a notice of an account change could not be sent')
    if (queue.size >= maxWaiting) {
      fail(new Error('the queue of notices is full'))
      return
    }
    const sendWithinLimit = async () => {
      const { count } = await store.increment(`notices:${way}:${notice}:${userId}`, 1, day)
      if (count <= maxPerDay) await send()
    }
    queue.add(sendWithinLimit).catch(fail)
  }

  /**
   * Sends a notice to the contacts that `user` has in the given record: after a change of a contact, pass the record from
   * before. A change of the phone number is also told to this number. The source is the request that caused the notice.
   */
  const tell = (
    user: User,
    notice: Notice,
    { address, acceptLanguage }: Pick<ActorSource, 'address' | 'acceptLanguage'>,
    more: { platform?: string; factor?: string; left?: string; by?: string; of?: string } = {},
  ): void => {
    const { email, id, tenantId, username, realName, phoneKey } = user
    const known = languageOfTag(user.language ?? undefined)
    const language = pickLanguage(acceptLanguage)
    const time = timeZone.toNamed(clock.now())
    const values = { tenantId, username, realName, address, time, language: known, ...more }
    if (mail && email !== null) {
      const content = composer.notice(notice, language, values)
      enqueue(id, notice, 'mail', () => mail.send({ to: email, ...content }))
    }
    if (sendSms && notice === 'phone_changed' && phoneKey !== null) {
      const text = composer.shortNotice(notice, language, values)
      enqueue(id, notice, 'sms', () => sendSms({ phone: phoneKey, text, language: known ?? language }))
    }
  }

  return {
    tell,

    /**
     * Tells the owner that a password was set in place of `user.passwordHash`. The first one of an account in which nobody has signed in yet
     * alarms nobody: it was set with the code of the invitation, or one that was sent to the same address.
     */
    tellNewPassword(user: User, source: Pick<ActorSource, 'address' | 'acceptLanguage'>): void {
      if (user.passwordHash !== null) tell(user, 'password_changed', source)
      else if (user.loginCount > 0) tell(user, 'first_password', source)
    },

    /** Resolves when all messages have been sent or have failed. */
    finish: () => queue.onIdle(),
  }
}

export type Notices = ReturnType<typeof createNotices>
