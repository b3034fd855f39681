import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../frame/notice.js'
import { say } from '../frame/status-line.js'
import { frame } from '../language/frame-words.js'
import { toFault } from '../session/fault.js'

interface Told {
  text: string
  /** Absent: it has worked. `warn` for what was not done, and is no failure. */
  kind?: 'bad' | 'warn'
  undo?: () => Promise<unknown>
}

/** What the page before has done, for the one that follows it. */
let carried: Told | undefined

/** Says on the next page that something has worked. */
export const carryOutcome = (text: string): void => {
  carried = { text }
  say(text)
}

/** What the page before has said; undefined when it has been asked for once. */
export const takeCarried = (): Told | undefined => {
  const taken = carried
  carried = undefined
  return taken
}

/**
 * Takes the focus away from a row that will be gone, or from `control` outside of the rows: it goes to the next row that has a control,
 * after the last one to the row before, and otherwise to the notice of `useOutcome`.
 */
const leaveRow = (control: HTMLElement): void => {
  const row = control.closest('li, tr')
  const rows = [...(row?.parentElement?.children ?? [])]
  const at = rows.findIndex((one) => one === row)
  const others = [...rows.slice(at + 1), ...rows.slice(0, at).reverse()]
  const [next] = others.flatMap((one) => one.querySelector<HTMLElement>('button, summary') ?? [])
  if (next) next.focus()
  else control.blur()
}

const isOutOfSight = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top < 0 || bottom > innerHeight
}

/**
 * What the last action on a page has led to, with the way back where there is one. The page shows `notice`, which goes when the page
 * is about something else, or a form is sent.
 */
export const useOutcome = (about?: string) => {
  const [told, setTold] = useState(takeCarried)
  const [version, setVersion] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const notice = place.current?.querySelector<HTMLElement>('.notice')
    if (version === 0 || !notice) return
    // After the page has moved the focus for a new title. A control that had the focus may be gone.
    queueMicrotask(() => {
      if (document.activeElement === document.body || isOutOfSight(notice)) notice.focus()
    })
  }, [version])

  const shown = useRef(about)
  useEffect(() => {
    // Not at first: there may be something of the page before.
    if (shown.current !== about) setTold(undefined)
    shown.current = about
  }, [about])

  useEffect(() => {
    const forget = () => setTold(undefined)
    // Before the form itself hears of it, which may have something to say at once.
    addEventListener('submit', forget, true)
    return () => removeEventListener('submit', forget, true)
  }, [])

  const show = (next: Told | undefined): void => {
    setTold(next)
    setVersion((before) => before + 1)
  }
  /** Says that something has worked. */
  const tell = (text: string, undo?: () => Promise<unknown>): void => {
    say(text)
    show({ text, ...(undo && { undo }) })
  }
  /** Says that nothing had to be done, and why. */
  const hint = (text: string): void => {
    say(text)
    show({ text, kind: 'warn' })
  }
  /** Says why something has not worked. */
  const fail = (error: unknown): void => show({ text: toFault(error).message, kind: 'bad' })
  /** Says that it has worked, or why it has not. */
  const attempt = (work: Promise<unknown>, text: string, undo?: () => Promise<unknown>): void => {
    setTold(undefined)
    work.then(() => tell(text, undo), fail)
  }
  /** As `attempt`, for what takes the row of `control` out of a list, which is then read again. */
  const remove = (work: Promise<unknown>, control: HTMLElement, reload: () => void, text: string): void => {
    const leave = () => {
      leaveRow(control)
      reload()
    }
    attempt(work.then(leave), text)
  }
  const undo = told?.undo
  const notice = (
    <div class="told" ref={place}>
      {told && (
        // Not every screen reader reads a status that appears with its text, so `say` does that.
        <Notice kind={told.kind ?? 'good'} id="outcome" isQuiet={told.kind !== 'bad'}>
          {told.text}
          {undo && (
            <>
              {' '}
              <button type="button" class="link" onClick={() => attempt(undo(), frame.undone)}>
                {frame.undo}
              </button>
            </>
          )}
        </Notice>
      )}
    </div>
  )
  return { notice, tell, hint, fail, attempt, remove, clear: () => setTold(undefined) }
}
export type Outcome = ReturnType<typeof useOutcome>
