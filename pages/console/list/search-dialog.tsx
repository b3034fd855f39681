import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Loading } from '../../shared/frame/loading.js'
import { frame } from '../../shared/language/frame-words.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { usePaused } from './use-paused.js'

interface SearchDialogProps<Row> {
  title: string
  /** What is searched for. */
  label: string
  /** Where nothing is found. */
  none: string
  /** Those that have a text in their name, or with an empty one the first. */
  find: (text: string) => Promise<Row[]>
  keyOf: (row: Row) => string | number
  line: (row: Row) => ComponentChildren
  onChoose: (row: Row) => void
  onClose: () => void
}

/** A search for one thing of many by its name. */
export const SearchDialog = <Row,>({
  title,
  label,
  none,
  find,
  keyOf,
  line,
  onChoose,
  onClose,
}: SearchDialogProps<Row>) => {
  const [text, setText] = useState('')
  const name = usePaused(text)
  const found = useLoaded(() => find(name), [name])
  return (
    <Dialog title={title} onClose={onClose}>
      <input
        type="search"
        data-first={true}
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Loading of={found}>
        {(rows) => (
          <ul class="stack tight">
            {rows.length === 0 && <li class="muted">{none}</li>}
            {rows.map((row) => (
              <li key={keyOf(row)}>
                <button type="button" class="quiet" onClick={() => onChoose(row)}>
                  {line(row)}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {frame.cancel}
        </button>
      </div>
    </Dialog>
  )
}
