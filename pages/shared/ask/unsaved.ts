import { useEffect } from 'preact/hooks'
import { frame } from '../language/frame-words.js'

/** While a form has been changed and not saved, or something else is not finished, leaving the page asks first. */
export const useUnsaved = (isChanged: boolean, question = frame.leaveChanged): void => {
  useEffect(() => {
    if (!isChanged) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    // Before the router hears of the click.
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (link?.getAttribute('target') !== null || confirm(question)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener('beforeunload', hold)
    addEventListener('click', ask, true)
    return () => {
      removeEventListener('beforeunload', hold)
      removeEventListener('click', ask, true)
    }
  }, [isChanged])
}
