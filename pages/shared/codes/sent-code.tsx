import { useEffect, useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { say } from '../frame/status-line.js'
import { frame } from '../language/frame-words.js'
import { duration } from '../language/language.js'
import { hidden } from '../language/visible.js'
import { isRefusal, toFault, type Fault } from '../session/fault.js'

type CodeSent = Operations['POST /auth/captcha/email']['data']
export interface CodeRequestBody {
  recipient: string
  code?: string
  codeKey?: string
}

/** A code that is on its way. */
export interface Sent {
  recipient: string
  /** Undefined where this page did not ask for the code: without a key the service takes the latest code that was asked for from this address. */
  codeKey: string | undefined
  /** When the next one may be asked for, epoch milliseconds. */
  next: number
}

/** A recipient that was refused with the code, for the form that asks for it. */
interface Refused {
  initial: string
  fault: Fault
}

/**
 * Seconds until the next code to a recipient may be asked for, if the service has sent one before; undefined for other refusals, also of
 * too many requests of all kinds.
 */
const waitOf = (error: unknown): number | undefined => {
  const seconds = isRefusal(error, 'too_many_requests') ? error.data['interval'] : undefined
  return typeof seconds === 'number' ? seconds : undefined
}

/** A code request that takes only codes of this page: after a reload the one that was sent before is good for nothing. */
interface Options {
  isBoundToPage?: boolean
}

/**
 * A code that is asked for by `send`; undefined until then. Where one was sent a moment ago, that one can be typed: phones load the page
 * again while somebody reads the mail.
 */
export const useSentCode = (
  send: (body: CodeRequestBody) => Promise<CodeSent>,
  { isBoundToPage = false }: Options = {},
) => {
  const [sent, setSent] = useState<Sent>()
  const [refused, setRefused] = useState<Refused>()
  return {
    sent,
    refused,
    async ask(body: CodeRequestBody): Promise<void> {
      // Shown, and saved with a new password: without what came along with a copied text.
      const recipient = body.recipient.replace(hidden, '')
      const begin = (codeKey: string | undefined, interval: number, text: string) => {
        setRefused(undefined)
        say(text)
        setSent({ recipient, codeKey, next: Date.now() + interval * 1000 })
      }
      try {
        const { codeKey, interval } = await send(body)
        begin(codeKey, interval, frame.sent)
      } catch (error) {
        const wait = waitOf(error)
        if (wait === undefined || isBoundToPage) throw error
        // A code that this page has asked for keeps its key.
        begin(sent?.recipient === recipient ? sent.codeKey : undefined, wait, frame.sentBefore)
      }
    },
    forget: () => setSent(undefined),
    /**
     * Waits for the request with the code, in which the recipient is `field`. That somebody else has the recipient is known only now: it is
     * said where the recipient is asked for.
     */
    async use(request: Promise<unknown>, field = 'recipient'): Promise<void> {
      try {
        await request
      } catch (error) {
        const text = toFault(error).fields[field]
        if (text === undefined) throw error
        setRefused({
          initial: sent?.recipient ?? '',
          fault: { message: '', reason: undefined, fields: { recipient: text } },
        })
        setSent(undefined)
      }
    },
  }
}

export type SentCode = ReturnType<typeof useSentCode>

const useSecondsUntil = (time: number): number => {
  const left = () => Math.max(0, Math.ceil((time - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    setSeconds(left())
    const timer = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(timer)
  }, [time])
  return seconds
}

interface AgainLineProps {
  code: SentCode
  sent: Sent
  /** Whether the code can go nowhere else. */
  hasOneRecipient?: boolean
}

/** Below the field of a code: the next code, after a while, and another recipient. */
export const AgainLine = ({ code, sent, hasOneRecipient = false }: AgainLineProps) => {
  const seconds = useSecondsUntil(sent.next)
  return (
    <p class="line small">
      {seconds > 0 ? (
        <span class="muted num">{frame.againIn(duration(seconds))}</span>
      ) : (
        // A captcha may be asked for: the first form shows it.
        <button
          class="link"
          type="button"
          onClick={() => void code.ask({ recipient: sent.recipient }).catch(code.forget)}
        >
          {frame.again}
        </button>
      )}
      {!hasOneRecipient && (
        <button class="link" type="button" onClick={code.forget}>
          {frame.otherRecipient}
        </button>
      )}
    </p>
  )
}
