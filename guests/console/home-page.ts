import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../lib/clock.js'
import { languageOf } from '../../lib/language.js'
import { success, type Reason } from '../../schemas/problems.js'
import { pageOfRequest } from './console-request.js'
import { emptyPage } from './empty-page.js'

const homePage = '/home'

/** The lists of which the home page shows the beginning to everybody, by the `operationId`. */
const listsAtHome: readonly string[] = ['compatGetOnlinePage', 'compatGetLoginLogPage', 'getUserPage']

/** What keeps somebody from a list. Before a forced change of the password the home page does not open. */
const refusals: readonly (Reason | undefined)[] = ['permission_denied', 'step_up_required']

/** A number of the query, which nobody has validated. */
const numberOf = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/**
 * The home page asks for three lists, whoever is signed in, and opens a dialog for each refusal. Answers an empty page there to people
 * who may not see the list; everywhere else they are refused.
 */
export const createHomePage =
  (clock: Clock) =>
  (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown => {
    if (reply.statusCode !== 403 || pageOfRequest(request) !== homePage) return payload
    if (!listsAtHome.includes(request.routeOptions.schema?.operationId ?? '')) return payload
    if (!refusals.includes((payload as { data: { reason?: Reason } | null }).data?.reason)) return payload
    const { pageNum, pageSize } = request.query as Record<string, unknown>
    const data = emptyPage({ pageNum: numberOf(pageNum), pageSize: numberOf(pageSize) })
    void reply.code(200).removeHeader('www-authenticate')
    return { code: 200, message: success[languageOf(request)], data, timestamp: clock.now() }
  }
