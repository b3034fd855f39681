import { RollcallError } from '../../../client/index.js'
import { base } from '../../shared/base.js'
import { Refusal } from '../../shared/session/fault.js'
import { words } from '../words.js'
import { languageTag } from '../../shared/language/language.js'
import { withToken } from './with-token.js'

/** What the service says of a file. */
export interface Report {
  success: boolean
  dryRun: boolean
  contactsCompared: boolean
  rows: number
  added: number
  refused: number
  /** Rows without a fault whose users cannot sign in as they are. */
  withoutWayIn: number
  /** User names of the first of them. */
  namesWithoutWayIn: string[]
  notInvited: number
  invited: number
  /** When the first and the last of the added users were created. */
  createTimeFrom: string | null
  createTimeTo: string | null
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

/** Browsers no longer give out a file that was saved again, moved or removed since it was chosen, and say no more than this. */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

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
    sent.onerror = () =>
      void isReadable(file).then((readable) =>
        reject(readable ? new TypeError('The file could not be sent') : new Refusal(words.import.hasChanged)),
      )
    sent.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => sent.abort())
    sent.send(form)
  })

/** Sends the file of an import. A session that has ended is asked for before, and when the service refuses the file because of it. */
export const sendFile = (file: File, sending: Sending): Promise<Report> =>
  withToken(async (token) => {
    if (!(await isReadable(file))) throw new Refusal(words.import.hasChanged)
    // Whoever has left meanwhile imports nothing.
    sending.signal.throwIfAborted()
    return send(file, sending, token)
  })
