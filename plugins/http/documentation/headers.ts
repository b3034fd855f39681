import { operationsOf, refer, type Document, type DocumentedAnswer } from './document.js'

const header = (description: string, type: 'string' | 'integer', example: string | number) => ({
  description,
  schema: { type, ...(type === 'integer' ? { minimum: 0, maximum: 2 ** 31 - 1 } : {}), examples: [example] },
})
const rateLimit = 'Only of operations with a limit, and if rate limits are on'

/** The headers of answers that clients may need. */
const headers = {
  'X-Request-Id': header('Id of the request, as in the log', 'string', 'req-1f'),
  'Retry-After': header('Seconds to wait before the next try', 'integer', 30),
  'WWW-Authenticate': header('The challenge of RFC 6750', 'string', 'Bearer realm="rollcall", error="invalid_token"'),
  'Set-Cookie': header(
    'A cookie by which the server recognises the device or the browser; it never authenticates',
    'string',
    'rollcall_device_12345678=…; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
  ),
  ETag: header('Version of the user, for `If-Match`', 'string', '"2026-02-01T08:00:00.000Z"'),
  'Cache-Control': header('How long the answer may be kept', 'string', 'public, max-age=300'),
  'Content-Disposition': header('Name of the file', 'string', 'attachment; filename="users.csv"'),
  'X-User-Id': header('Id of the user', 'string', '1'),
  'X-Tenant-Id': header('Id of the tenant of the user', 'string', '1'),
  'X-RateLimit-Limit': header(`Requests a minute from an IP address. ${rateLimit}`, 'integer', 30),
  'X-RateLimit-Remaining': header(`Requests that are left in this minute. ${rateLimit}`, 'integer', 29),
  'X-RateLimit-Reset': header(`Seconds until the count begins anew. ${rateLimit}`, 'integer', 60),
} as const
export type AnswerHeader = keyof typeof headers

const ofRateLimits: AnswerHeader[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

const ofStatus: Record<string, AnswerHeader[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Adds the headers to all answers: those of the status, of the rate limit, and what the route sets on success. */
export const addHeaders = (document: Document): void => {
  const { responses = {} } = document.components
  const describe = (answer: DocumentedAnswer, names: AnswerHeader[]) => {
    const all: AnswerHeader[] = ['X-Request-Id', ...names]
    // An answer that operations share has the headers of all of them.
    answer.headers = { ...answer.headers, ...Object.fromEntries(all.map((name) => [name, refer('headers', name)])) }
  }
  for (const operation of operationsOf(document)) {
    const { 'x-headers': own = [], 'x-limited': isLimited = false } = operation
    delete operation['x-headers']
    delete operation['x-limited']
    for (const [status, answer] of Object.entries(operation.responses)) {
      const shared = '$ref' in answer ? responses[answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)] : undefined
      const documented = shared ?? (answer as DocumentedAnswer)
      const ofAnswer = status === '200' ? own : (ofStatus[status] ?? [])
      describe(documented, [...ofAnswer, ...(isLimited ? ofRateLimits : [])])
    }
  }
  Object.assign(document.components, { headers })
}
