import { FinalError } from '../../../lib/retry.js'
import type { OverviewDeliveryFailure } from '../../../schemas/overview.js'

/** Why a message could not be delivered, without a word of the server that has refused it: that may name the recipient. */
export type Failure = Pick<OverviewDeliveryFailure, 'reason' | 'status'>

type Failed = Error & { code?: unknown; command?: string; response?: string; responseCode?: unknown; status?: unknown }

/** By the codes of nodemailer, of Node.js and of its HTTP client. */
const reasons: Record<string, Failure['reason']> = {
  ECONNECTION: 'noConnection',
  ECONNREFUSED: 'noConnection',
  ECONNRESET: 'noConnection',
  EDNS: 'noConnection',
  EHOSTUNREACH: 'noConnection',
  ENOTFOUND: 'noConnection',
  ESOCKET: 'noConnection',
  ETLS: 'noConnection',
  ETIMEDOUT: 'timeout',
  TimeoutError: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  EAUTH: 'signIn',
  ENOAUTH: 'signIn',
}

const codeOf = (error: unknown): string => {
  const { cause, code, name } = error as Failed
  if (cause instanceof Error) return codeOf(cause)
  return typeof code === 'string' ? code : name
}

/** A mailbox that does not exist or takes nothing (RFC 3463 3.2 and 3.3) is no fault of the server, which has answered. */
const isOfRecipient = ({ command, response = '' }: Failed): boolean =>
  command === 'RCPT TO' && /^\d{3}[ -][45]\.[12]\./.test(response)

/** Undefined where another recipient would have got the message. */
export const failureOf = (error: unknown): Failure | undefined => {
  const failed = error as Failed
  if (isOfRecipient(failed)) return undefined
  const answer = failed.responseCode ?? failed.status
  const status = Number.isSafeInteger(answer) ? { status: answer as number } : {}
  const isRefused = 'status' in status || error instanceof FinalError
  return { reason: reasons[codeOf(error)] ?? (isRefused ? 'refused' : 'other'), ...status }
}
