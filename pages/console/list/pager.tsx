import { useEffect, useRef } from 'preact/hooks'
import { frame } from '../../shared/language/frame-words.js'
import { number } from '../../shared/language/language.js'
import { words } from '../words.js'
import { sizes, type List } from './use-list.js'

const ordered = sizes.toSorted((one, other) => one - other)

interface StepProps {
  text: string
  /** Undefined where there is no such page. The button stays, so that the focus does. */
  onStep: (() => void) | undefined
}

const Step = ({ text, onStep }: StepProps) => (
  <button type="button" aria-disabled={onStep === undefined} onClick={onStep}>
    {text}
  </button>
)

/** The way to the other pages of a list. */
export const Pager = <Row,>({ of: { page, size, change }, total }: { of: List<Row>; total: number }) => {
  const last = Math.max(1, Math.ceil(total / size))
  const first = (page - 1) * size + 1
  const open = (next: number) => change({ page: next === 1 ? undefined : String(next) })
  // The same field on all pages, so that the focus stays in it.
  const field = useRef<HTMLInputElement>(null)
  const showPage = (shown: number) => {
    if (field.current) field.current.value = String(shown)
  }
  useEffect(() => showPage(page), [page])
  const choose = (text: string) => {
    const typed = Math.round(Number(text))
    const next = text.trim() === '' || !Number.isFinite(typed) ? page : Math.min(Math.max(typed, 1), last)
    showPage(next)
    if (next !== page) open(next)
  }
  return (
    <nav class="pager" aria-label={frame.pages}>
      <span class="num">
        {words.list.range(number(first), number(Math.min(first + size - 1, total)))}
        <b>{number(total)}</b>
      </span>
      <label class="line">
        {words.list.rows}
        <select onChange={({ currentTarget }) => change({ size: currentTarget.value })}>
          {ordered.map((one) => (
            <option selected={one === size} key={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <form
        class="line push"
        onSubmit={(event) => {
          event.preventDefault()
          choose(field.current?.value ?? '')
        }}
      >
        <Step text={frame.previous} onStep={page > 1 ? () => open(page - 1) : undefined} />
        <label class="line">
          {words.list.page} <input name="page" inputmode="numeric" autocomplete="off" ref={field} />
        </label>
        <span class="num">{words.list.ofPages(number(last))}</span>
        <Step text={frame.next} onStep={page < last ? () => open(page + 1) : undefined} />
      </form>
    </nav>
  )
}
