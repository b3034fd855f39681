import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reason } from '../../schemas/problems.js'
import type { Clock } from '../../lib/clock.js'
import type { TimeZone } from '../../lib/time-zone.js'
import { createBanMessage } from './ban-message.js'
import type { Speak } from './dialogs.js'

interface Collaborators {
  clock: Clock
  timeZone: Pick<TimeZone, 'toLocal'>
  speak: Speak
}

/** Refusals of a sign-in that front ends which know tickets do not show. */
const ofSecondStep: readonly (Reason | undefined)[] = ['second_factor_required', 'second_factor_setup_required']

/** What a refused sign-in says: until when a ban lasts, and where a second step can be done. */
export const createSignInMessage = ({ clock, timeZone, speak }: Collaborators) => {
  const tellBan = createBanMessage(clock, timeZone)
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const { data } = payload as { data: { reason?: Reason } | null }
    return ofSecondStep.includes(data?.reason) ? speak(request, reply, payload) : tellBan(request, reply, payload)
  }
}
