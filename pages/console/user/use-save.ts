import { useState } from 'preact/hooks'
import { request } from '../../shared/session/entered.js'
import { isRefusal } from '../../shared/session/fault.js'
import type { Outcome } from '../../shared/shell/outcome.js'
import { useConsole } from '../console.js'
import { cannotTakeBack } from '../own-factor.js'
import { words } from '../words.js'
import { differing, toChange, toDraft, type Draft, type FieldName, type User } from './draft.js'

/** Somebody else has saved meanwhile. */
export interface Conflicting {
  theirs: User
  /** What the person has changed. */
  names: FieldName[]
  /** Saves it over their version. */
  saveOver: () => Promise<void>
}

interface SaveOptions {
  base: User
  draft: Draft
  show: (user: User) => void
  outcome: Outcome
}

/** Saves changed fields on the version that they were made on; where that is gone, the person chooses. */
export const useSave = ({ base, draft, show, outcome }: SaveOptions) => {
  const [conflict, setConflict] = useState<Conflicting>()
  const { may } = useConsole()
  const path = { id: base.id }
  const send = (version: User, values: Draft, names: readonly FieldName[]) =>
    request('PATCH /system/user/{id}', { path, ifMatch: version.updateTime, body: toChange(values, names) })

  const saveOn = async (version: User, names: FieldName[]): Promise<void> => {
    try {
      const saved = await send(version, draft, names)
      setConflict(undefined)
      show(saved)
      const added = names.includes('roleKeys') ? draft.roleKeys.filter((key) => !version.roleKeys.includes(key)) : []
      const isKept = may('system:role:list') && (await cannotTakeBack(base.tenantId, added))
      const undo = async () => show(await send(saved, toDraft(version), names))
      outcome.tell(words.user.saved, isKept ? undefined : undo)
    } catch (error) {
      if (!isRefusal(error, 'changed_meanwhile')) throw error
      const theirs = await request('GET /system/user/{id}', { path })
      const isSame =
        differing(toDraft(theirs), toDraft(version)).length === 0 && theirs.userStatus === version.userStatus
      // A sign-in or a new password changes nothing that is shown here.
      if (isSame && theirs.updateTime !== version.updateTime) return saveOn(theirs, names)
      setConflict({ theirs, names, saveOver: () => saveOn(theirs, names) })
    }
  }
  return { save: (names: FieldName[]) => saveOn(base, names), conflict, close: () => setConflict(undefined) }
}
