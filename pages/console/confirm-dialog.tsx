import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Cancel } from '../shared/frame/cancel.js'
import { Notice } from '../shared/frame/notice.js'
import { toFault } from '../shared/session/fault.js'
import { Dialog } from '../shared/shell/dialog.js'

interface ConfirmDialogProps {
  title: string
  /** What happens. */
  children: ComponentChildren
  /** Of the button: what it does. */
  submit: string
  /** Throws why it did not work; the dialog then stays open and says so. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something that cannot simply be taken back. */
export const ConfirmDialog = ({ title, children, submit, onConfirm, onClose }: ConfirmDialogProps) => {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const confirm = () => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    onConfirm()
      .catch((error: unknown) => setProblem(toFault(error).message))
      .finally(() => setBusy(false))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      <div class="actions">
        <button type="button" class="danger" aria-disabled={isBusy} onClick={confirm}>
          {submit}
        </button>
        <Cancel onClick={onClose} />
      </div>
    </Dialog>
  )
}
