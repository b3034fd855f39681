import type { ComponentChildren } from 'preact'
import { frame } from '../language/frame-words.js'
import type { Fault } from '../session/fault.js'
import { Notice } from './notice.js'

interface LoadingProps<T> {
  of: { data: T | undefined; fault: Fault | undefined; reload: () => void }
  children: (data: T) => ComponentChildren
}

/** Lines that stand for what is being loaded, the words for what could not be, or what was. */
export const Loading = <T,>({ of: { data, fault, reload }, children }: LoadingProps<T>) => {
  if (fault)
    return (
      <div class="stack">
        <Notice kind="bad">{fault.message}</Notice>
        <div>
          <button onClick={reload}>{frame.tryAgain}</button>
        </div>
      </div>
    )
  if (data === undefined)
    return (
      <div class="stack" role="status">
        <span class="sr">{frame.loading}</span>
        <span class="wait" />
        <span class="wait" />
      </div>
    )
  return <>{children(data)}</>
}
