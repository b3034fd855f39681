import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Cancel } from '../../shared/frame/cancel.js'
import { Notice } from '../../shared/frame/notice.js'
import { Name } from '../../shared/language/visible.js'
import { toFault } from '../../shared/session/fault.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { banText } from '../values.js'
import { words } from '../words.js'
import { differing, fieldNames, toDraft, type Draft, type FieldName, type User } from './draft.js'
import type { Conflicting } from './use-save.js'

const shown = (draft: Draft, name: FieldName): ComponentChildren => {
  const value = draft[name]
  if (value.length === 0) return <span class="muted">{words.user.none}</span>
  if (name === 'userType') return words.common.types[draft.userType as '0']
  if (name === 'gender') return words.common.genders[draft.gender as '0']
  return <Name text={typeof value === 'string' ? value : value.join(', ')} />
}

interface ConflictProps {
  base: User
  draft: Draft
  conflict: Conflicting
  onTheirs: () => void
  onClose: () => void
}

/** Both versions of an account that somebody else has changed meanwhile, field by field. */
export const Conflict = ({ base, draft, conflict, onTheirs, onClose }: ConflictProps) => {
  const { theirs, names, saveOver } = conflict
  const [problem, setProblem] = useState<string>()
  const present = toDraft(theirs)
  const changed = differing(toDraft(base), present)
  const rows = fieldNames.filter((name) => names.includes(name) || changed.includes(name))
  return (
    <Dialog title={words.user.conflict} onClose={onClose}>
      <p>{words.user.conflictText}</p>
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      <div class="scroll" tabIndex={0} role="group" aria-label={words.user.conflictVersions}>
        <table class="diff">
          <thead>
            <tr>
              <th>{words.user.field}</th>
              <th>{words.user.theirs}</th>
              <th>{words.user.yours}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((name) => (
              <tr key={name}>
                <td>{words.user.fields[name]}</td>
                <td>{shown(present, name)}</td>
                <td>
                  {names.includes(name) ? shown(draft, name) : <span class="muted">{words.user.notChanged}</span>}
                </td>
              </tr>
            ))}
            {theirs.bannedUntil !== base.bannedUntil && (
              <tr>
                <td>{words.user.ban}</td>
                <td>{theirs.bannedUntil === null ? words.user.none : banText(theirs.bannedUntil)}</td>
                <td>
                  <span class="muted">{words.user.notChanged}</span>
                </td>
              </tr>
            )}
            {theirs.userStatus !== base.userStatus && (
              <tr>
                <td>{words.user.status}</td>
                <td>{words.common.statuses[theirs.userStatus]}</td>
                <td>
                  <span class="muted">{words.user.notChanged}</span>
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      <div class="actions">
        <button
          class="primary"
          onClick={() => {
            onClose()
            onTheirs()
          }}
        >
          {words.user.keepTheirs}
        </button>
        <button onClick={() => void saveOver().catch((error: unknown) => setProblem(toFault(error).message))}>
          {words.user.saveMine}
        </button>
        <Cancel onClick={onClose} />
      </div>
    </Dialog>
  )
}
