import { useEffect, useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { say } from '../frame/status-line.js'
import { frame } from '../language/frame-words.js'
import { duration } from '../language/language.js'
import { hidden } from '../language/visible.js'
import { toFault, type Fault } from '../session/fault.js'

type CodeSent = Operations['POST /auth/captcha/email']['data']
export interface CodeRequestBody {
  recipient: string
  code?: string
  codeKey?: string
}

/** A code that is on its way. */
export interface Sent {
  recipient: string
  codeKey: string
  /** When the next one may be asked for, epoch milliseconds. */
  next: number
}

/** A recipient that was refused with the code, for the form that asks for it. */
interface Refused {
  initial: string
  fault: Fault
}

/** A code that is asked for by `send`; undefined until then. */
export const useSentCode = (send: (body: CodeRequestBody) => Promise<CodeSent>) => {
  const [sent, setSent] = useState<Sent>()
  const [refused, setRefused] = useState<Refused>()
  return {
    sent,
    refused,
    async ask(body: CodeRequestBody): Promise<void> {
      const { codeKey, interval } = await send(body)
      setRefused(undefined)
      say(frame.sent)
      // Shown, and saved with a new password: without what came along with a copied text.
      setSent({ recipient: body.recipient.replace(hidden, ''), codeKey, next: Date.now() + interval * 1000 })
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
