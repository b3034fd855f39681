import type { FastifyReply, FastifyRequest } from 'fastify'
import { catalogue, type Reason } from '../../schemas/problems.js'
import type { Needs } from '../../lib/needs.js'
import type { Clock } from '../../lib/clock.js'
import type { TimeZone } from '../../lib/time-zone.js'
import { languageOf } from '../../lib/language.js'
import type { Speak } from './dialogs.js'

interface Refusal {
  message: string
  data: { reason?: Reason } | null
}

/** Bans that end later last until somebody lifts them: none is given for so long. Milliseconds, some eleven years. */
const maxBan = 4000 * 86_400_000

/** Names the end of a ban as people read times: only this front end bans. */
const createBanMessage =
  (clock: Clock, timeZone: Pick<TimeZone, 'toLocal'>) =>
  async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const body = payload as Refusal
    if (body.data?.reason !== 'account_banned') return payload
    const language = languageOf(request)
    const text = catalogue.account_banned[language]
    const left = Number(reply.getHeader('retry-after')) * 1000
    if (left > maxBan) return { ...body, message: text }
    const end = timeZone.toLocal(clock.now() + left)
    return { ...body, message: language === 'zh' ? `${text}，${end} 之后可登录` : `${text} until ${end}` }
  }

/** Refusals of a sign-in that front ends which know tickets do not show. */
const ofSecondStep: readonly (Reason | undefined)[] = ['second_factor_required', 'second_factor_setup_required']

/** What a refused sign-in says: until when a ban lasts, and where a second step can be done. */
export const createSignInMessage = ({ clock, timeZone }: Needs<'clock' | 'timeZone'>, speak: Speak) => {
  const tellBan = createBanMessage(clock, timeZone)
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const { data } = payload as { data: { reason?: Reason } | null }
    return ofSecondStep.includes(data?.reason) ? speak(request, reply, payload) : tellBan(request, reply, payload)
  }
}
