import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { CompatLogin, CompatLoginPage, CompatLoginQuery } from './schemas/online.js'
import type { LoginLogQuery, LoginRecord } from '../../schemas/login-log.js'
import { catalogue, type Language } from '../../schemas/problems.js'
import { problem } from '../../lib/problem.js'
import { createReadOrder } from '../../lib/read-order.js'
import type { TimeZone } from '../../lib/time-zone.js'
import { toTime } from '../../lib/time-text.js'
import type { LoginLogPages } from '../../plugins/record/login-log/pages.js'
import { rules } from './rules.js'
import { inItsWords } from './words.js'
import { readUserAgent } from './user-agent.js'

const messageOf = (reason: string | null, language: Language): string | null => {
  if (reason === null) return null
  const known = Object.entries(catalogue).find(([name]) => name === reason)
  return known ? inItsWords(known[1][language]) : reason
}

const toRow = (record: LoginRecord, language: Language, timeZone: TimeZone): CompatLogin => ({
  id: record.id,
  username: record.subject,
  userId: record.userId,
  loginType: record.authType,
  loginStatus: record.reason === null ? 1 : 0,
  clientCode: record.userClient,
  loginIp: record.address,
  loginLocation: '',
  ...readUserAgent(record.userAgent),
  userAgent: record.userAgent,
  loginTime: timeZone.toLocal(Date.parse(record.time)),
  loginMessage: messageOf(record.reason, language),
})

/** The column by which the list sorts, by the name of the field. */
const readOrder = createReadOrder(['loginTime'], [])

/** The login log in the words of the front end. */
export const createLoginRows = (loginLog: LoginLogPages, timeZone: TimeZone) => ({
  async page(
    caller: SessionOwner,
    query: CompatLoginQuery,
    language: Language,
    closed: () => AbortSignal,
  ): Promise<CompatLoginPage> {
    const { pageNum, pageSize, username, loginType, loginStatus, loginIp, clientCode, startTime, endTime } = query
    const [order] = readOrder(query)
    const readTimeAs = (field: string, text: string | undefined, isEnd: boolean): string | undefined => {
      const time = timeZone.readTime(field, text, isEnd, true)
      return time === undefined ? undefined : toTime(time)
    }
    const wanted: LoginLogQuery = {
      ...{ pageNum, pageSize, subject: username, authType: loginType, address: loginIp, userClient: clientCode },
      ...(order && { orderByColumn: 'time', isAsc: order.direction }),
      refusedOnly: loginStatus === 0 ? 'true' : undefined,
      succeededOnly: loginStatus === 1 ? 'true' : undefined,
      timeFrom: readTimeAs('startTime', startTime, false),
      timeTo: readTimeAs('endTime', endTime, true),
    }
    const { records, ...numbers } = await loginLog.page(caller, wanted, closed)
    return { records: records.map((record) => toRow(record, language, timeZone)), ...numbers }
  },

  async get(caller: SessionOwner, id: number, language: Language): Promise<CompatLogin> {
    const record = await loginLog.find(caller, id)
    if (!record) throw problem('not_found', { faults: [{ field: 'id', rule: rules.unknownRow }] })
    return toRow(record, language, timeZone)
  },
})
