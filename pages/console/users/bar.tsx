import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../shared/frame/icon.js'
import { frame } from '../../shared/language/frame-words.js'
import { number } from '../../shared/language/language.js'
import { useConsole } from '../console.js'
import { Menu } from '../../shared/shell/menu.js'
import { Name } from '../../shared/language/visible.js'
import { words } from '../words.js'
import { shown, type Action } from './done-text.js'
import type { Actions, Outcome } from './use-actions.js'
import { maxPicked, type Selection } from './use-selection.js'
import type { UserRow } from '../values.js'

/** What had the focus is gone: the page itself takes it. */
const focusPage = () => document.getElementById('main')?.focus()

const Close = ({ label, onClose }: { label: string; onClose: () => void }) => (
  <button
    class="quiet square"
    aria-label={label}
    onClick={() => {
      onClose()
      focusPage()
    }}
  >
    <Icon name="cross" />
  </button>
)

interface SelectedProps {
  selection: Selection
  /** How many the list finds, on all its pages. */
  total: number
  /** How many of them this page shows. */
  pageRows: number
  onAll: () => void
  onAct: (action: Action, rows: readonly UserRow[]) => void
}

const statusActions = ['disable', 'enable', 'unlock'] as const

/** What can be done with the users that are selected. */
export const Selected = ({
  selection: { rows, here, without, clear },
  total,
  pageRows,
  onAll,
  onAct,
}: SelectedProps) => {
  const { may, whyNotInvite } = useConsole()
  const elsewhere = rows.length - here.length
  const told = words.users.selectedElsewhere(number(rows.length), number(elsewhere))
  return (
    <>
      {elsewhere === 0 ? (
        <b>{words.users.selected(number(rows.length))}</b>
      ) : (
        <Menu label={told} text={told}>
          <ul class="names">
            {rows.slice(0, shown).map(({ id, realName, username }) => (
              <li key={id}>
                <Name text={realName || username} />
              </li>
            ))}
            {rows.length > shown && <li class="muted">{words.users.andMore(rows.length - shown)}</li>}
          </ul>
        </Menu>
      )}
      {without && <span class="muted">{words.users.without[without]}</span>}
      <Close label={words.users.clearSelection} onClose={clear} />
      {!without && total > pageRows && rows.length < Math.min(total, maxPicked) && (
        <button class="quiet" onClick={onAll}>
          {words.users.selectMatching(number(Math.min(total, maxPicked)), total > maxPicked)}
        </button>
      )}
      {statusActions.map((action) => (
        <button title={words.users.hints[action]} onClick={() => onAct(action, rows)} key={action}>
          {words.users[action]}
        </button>
      ))}
      {rows.some((row) => !whyNotInvite(row)) && (
        <button onClick={() => onAct('invite', rows)}>{words.common.invite}</button>
      )}
      {may('system:role:list') && <button onClick={() => onAct('addRole', rows)}>{words.users.giveRole}</button>}
      {may('system:user:delete') && (
        <button class="danger" onClick={() => onAct('delete', rows)}>
          {words.users.delete}
        </button>
      )}
    </>
  )
}

interface OutcomeLineProps {
  outcome: Outcome
  actions: Actions
  /** The rows: the one with the focus may have gone with them. */
  rows: unknown
}

/** What was done, and the way back. Takes the focus if what had it is gone. */
export const OutcomeLine = ({ outcome: { text, isIdle, undo }, actions, rows }: OutcomeLineProps) => {
  const line = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body)
      line.current?.querySelector<HTMLElement>('button:last-of-type')?.focus()
  }, [text, rows])
  return (
    <span class="line" ref={line}>
      <Icon name={isIdle ? 'alert' : 'tick'} />
      <b>{text}</b>
      <Close label={words.users.dismiss} onClose={actions.forget} />
      {undo && <button onClick={() => void actions.act(undo.action, undo.rows, undo)}>{frame.undo}</button>}
    </span>
  )
}
