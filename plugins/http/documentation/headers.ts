const header = (description: string, type: 'string' | 'integer', example: string | number) => ({
  description,
  schema: { type, ...(type === 'integer' ? { minimum: 0, maximum: 2 ** 31 - 1 } : {}), examples: [example] },
})
const rateLimit = 'Only of operations with a limit, and if rate limits are on'

/** The headers of answers that clients may need. */
export const headers = {
  'X-Request-Id': header('Id of the request, as in the log', 'string', 'req-1f'),
  'Retry-After': header('Seconds to wait before the next try', 'integer', 30),
  'WWW-Authenticate': header('The challenge of RFC 6750', 'string', 'Bearer realm="rollcall", error="invalid_token"'),
  'Set-Cookie': header(
    'A cookie by which the server recognises the device or the browser. Over https its name begins with `__Host-`. That of a page (`rollcall_page_…`) authenticates, at `POST /auth/refreshToken` and `POST /auth/logout` only',
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

const ofStatus: Record<number, AnswerHeader[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The headers of an answer, which `shareAnswers` makes references: of every answer, of its status, of a limit and its own. */
export const headersOf = (status: number, isLimited: boolean, own: AnswerHeader[] = []): Record<string, object> => {
  const names: AnswerHeader[] = [
    'X-Request-Id',
    ...own,
    ...(ofStatus[status] ?? []),
    ...(isLimited ? ofRateLimits : []),
  ]
  return Object.fromEntries(names.map((name) => [name, {}]))
}
