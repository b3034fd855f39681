import { useEffect, useRef, useState } from 'preact/hooks'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { Form } from '../../shared/form/use-form.js'
import { say } from '../../shared/frame/status-line.js'
import { useConsole } from '../console.js'
import { later } from '../later.js'
import { UserInputs } from '../users/user-inputs.js'
import { words } from '../words.js'
import { differing, toDraft, type Draft, type User } from './draft.js'
import type { TabProps } from './user-page.js'
import { useSave } from './use-save.js'

const Conflict = later(async () => (await import('./conflict.js')).Conflict)

/** The fields of an account. Only what was changed is sent, and nobody else's change is overwritten unasked. */
export const Fields = ({ user, setUser, outcome }: TabProps) => {
  const { may } = useConsole()
  // What the form began with: somebody else may change the account meanwhile.
  const [base, setBase] = useState(user)
  const [draft, setDraft] = useState<Draft>(toDraft(user))
  const [version, setVersion] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  const names = differing(toDraft(base), draft)
  useUnsaved(names.length > 0)

  // The form is made anew after it has been saved; the field that somebody is in keeps the focus.
  const focused = useRef('')
  useEffect(() => place.current?.querySelector<HTMLElement>(`[name="${focused.current}"]`)?.focus(), [version])

  const begin = (next: User) => {
    focused.current = place.current?.querySelector('input:focus')?.getAttribute('name') ?? ''
    setBase(next)
    setDraft(toDraft(next))
    setVersion((before) => before + 1)
  }
  const show = (next: User) => {
    setUser(next)
    begin(next)
  }
  const { save, conflict, close } = useSave({ base, draft, show, outcome })

  useEffect(() => {
    // An action at the head has changed nothing that is in the form.
    if (differing(toDraft(user), toDraft(base)).length === 0) setBase(user)
    else if (names.length === 0) begin(user)
  }, [user])

  const read = () => {
    const form = place.current?.querySelector('form')
    if (!form) return
    // A service account has no contacts, and so no fields for them.
    const { remark = '', ...values } = Object.fromEntries(new FormData(form)) as Partial<Omit<Draft, 'roleKeys'>>
    // Browsers send line breaks as two characters.
    setDraft((before) => ({ ...before, ...values, remark: remark.replaceAll('\r\n', '\n') }))
  }

  return (
    <div class="stack" onInput={read} onChange={read} ref={place} key={version}>
      <h2>{words.user.fieldsHeading}</h2>
      <Form
        label={words.user.fieldsHeading}
        submit={words.user.save}
        busy={words.user.saving}
        onSubmit={async () => {
          if (names.length === 0) say(words.user.unchanged)
          else await save(names)
        }}
        after={
          <>
            {names.length > 0 && (
              <button class="quiet" type="button" onClick={() => begin(base)}>
                {words.user.discard}
              </button>
            )}
            <span class="muted" role="status">
              {names.length > 0 && words.user.notSaved(names.length)}
            </span>
          </>
        }
      >
        <UserInputs
          user={base}
          tenantId={base.tenantId}
          roleKeys={draft.roleKeys}
          onRoles={(roleKeys) => setDraft((before) => ({ ...before, roleKeys }))}
          {...(!may('system:user:contact') && { contact: { readOnly: true, hint: words.user.masked } })}
        />
      </Form>
      {conflict && (
        <Conflict
          {...{ base, draft, conflict }}
          onClose={close}
          onTheirs={() => {
            show(conflict.theirs)
            outcome.tell(words.user.theirsKept)
          }}
        />
      )}
    </div>
  )
}
