import { RollcallError } from '../../../client/index.js'
import { base } from '../../shared/base.js'
import { client } from '../../shared/session/client.js'
import { asPerson, request } from '../../shared/session/entered.js'
import { languageTag } from '../../shared/language/language.js'

/** What the service says of a file. */
export interface Report {
  success: boolean
  dryRun: boolean
  contactsCompared: boolean
  rows: number
  added: number
  refused: number
  invited: number
  summary: string
  /** The first faults: the service does not name more than a thousand. */
  errors: { rowNum: number; field: string; columnName: string; errorMessage: string }[]
}

interface Answer {
  code?: number
  message?: string
  data?: (Report & { reason?: string }) | { reason?: string; violations?: { field: string; message: string }[] } | null
}

interface Sending {
  isDryRun: boolean
  /** Whether those without a password are invited. */
  invites: boolean
  /** Part of the file that has arrived, 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** `fetch` does not tell how much has been sent. */
const send = (
  file: File,
  { isDryRun, invites, onProgress, signal }: Sending,
  token: string | undefined,
): Promise<Report> =>
  new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest()
    const form = new FormData()
    form.append('file', file)
    sent.open('POST', new URL(`system/user/import?dryRun=${String(isDryRun)}&invite=${String(invites)}`, base))
    sent.responseType = 'json'
    if (token !== undefined) sent.setRequestHeader('authorization', `Bearer ${token}`)
    sent.setRequestHeader('accept-language', languageTag)
    sent.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(total, 1))
    sent.onload = () => {
      const { code, message = '', data } = (sent.response ?? {}) as Answer
      if (code === 200 && data && 'summary' in data) resolve(data)
      else {
        const violations = data && 'violations' in data ? data.violations : []
        const retryAfter = Number(sent.getResponseHeader('retry-after') ?? undefined) || undefined
        reject(
          new RollcallError(message, sent.status, (data as { reason?: string } | null)?.reason, violations, retryAfter),
        )
      }
    }
    // As `fetch` does when no answer arrives.
    sent.onerror = () => reject(new TypeError('The file could not be sent'))
    sent.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => sent.abort())
    sent.send(form)
  })

/** Sends the file of an import. A session that has ended is asked for before, and when the service refuses the file because of it. */
export const sendFile = async (file: File, sending: Sending): Promise<Report> =>
  asPerson(async () => {
    // Exchanges a token that has expired: a large file is not sent twice for that.
    await request('GET /auth/userInfo')
    const token = await client.token()
    // Whoever has left meanwhile imports nothing.
    sending.signal.throwIfAborted()
    return send(file, sending, token)
  })
