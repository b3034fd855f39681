import { useEffect } from 'preact/hooks'
import { ask } from './questions.js'
import { questions } from './words.js'

const withoutPart = ({ href }: { href: string }): string | undefined => href.split('#')[0]

/** The link of a click that would take the page away; another tab or a place on the page would not. */
const wayOut = ({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): HTMLAnchorElement | undefined => {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) return undefined
  const link = target.closest<HTMLAnchorElement>('a[href]')
  if (!link || !['', '_self'].includes(link.target)) return undefined
  return withoutPart(link) === withoutPart(location) ? undefined : link
}

/** Ends all holding of this page. */
const held = new Set<() => void>()

/**
 * While a form has been changed and not saved, or something else is not finished, leaving the page asks first: by a link in a dialog,
 * otherwise the browser does.
 */
export const useUnsaved = (isChanged: boolean, question = questions.leaveChanged): void => {
  useEffect(() => {
    if (!isChanged) return
    const gone = new AbortController()
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    // Before the router hears of the click.
    const onClick = (event: MouseEvent) => {
      const link = wayOut(event)
      if (!link) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const leave = () => {
        held.forEach((stop) => stop())
        link.click()
      }
      ask({ kind: 'leave', text: question, signal: gone.signal }).then(leave, () => undefined)
    }
    const stop = () => {
      removeEventListener('beforeunload', hold)
      removeEventListener('click', onClick, true)
      held.delete(stop)
    }
    held.add(stop)
    addEventListener('beforeunload', hold)
    addEventListener('click', onClick, true)
    return () => {
      stop()
      gone.abort()
    }
  }, [isChanged])
}
