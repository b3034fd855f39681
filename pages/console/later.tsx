import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice } from '../shared/frame/notice.js'
import { frame } from '../shared/language/frame-words.js'

/** A part of the console that is loaded when it is first shown: few people need it, and the others need not wait for it. */
export const later = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> => {
  let Loaded: ComponentType<Props> | undefined
  return (props) => {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'loading')
    useEffect(() => {
      if (Loaded) return
      load().then(
        (component) => {
          Loaded = component
          setState('loaded')
        },
        () => setState('failed'),
      )
    }, [])
    if (state === 'failed') {
      return (
        <div class="stack tight">
          <Notice kind="bad">{navigator.onLine ? frame.unreachable : frame.offline}</Notice>
          {/* A browser keeps that a module has failed, and another version of the service has others. */}
          <div>
            <button onClick={() => location.reload()}>{frame.tryAgain}</button>
          </div>
        </div>
      )
    }
    return Loaded ? <Loaded {...props} /> : null
  }
}
