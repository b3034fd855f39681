import { useState } from 'preact/hooks'
import { Field } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { Notice } from '../../shared/frame/notice.js'
import { say } from '../../shared/frame/status-line.js'
import { date } from '../../shared/language/language.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { Menu } from '../../shared/shell/menu.js'
import { toFault } from '../../shared/session/fault.js'
import { words } from '../words.js'
import type { Factor } from './parts.js'

interface FactorRowProps {
  factor: Factor
  reload: () => void
}

const factsOf = ({ kind, backedUp, createTime, lastUsedTime, secondOnly }: Factor): string =>
  [
    ...(kind === 'passkey' ? [backedUp === true ? words.synced : words.onOneDevice] : []),
    ...(secondOnly && kind === 'passkey' ? [words.secondOnly] : []),
    words.added(date(new Date(createTime))),
    lastUsedTime === null ? words.neverUsed : words.lastUsed(date(new Date(lastUsedTime))),
  ].join(' · ')

/** A factor, to be renamed or removed. */
export const FactorRow = ({ factor, reload }: FactorRowProps) => {
  const [dialog, setDialog] = useState<'rename' | 'remove'>()
  const [problem, setProblem] = useState<string>()
  const path = { id: factor.id }
  const close = () => setDialog(undefined)
  const done = (text: string) => {
    close()
    say(text)
    reload()
  }
  return (
    <li>
      <div class="what">
        <p>
          <Name text={factor.name} />
        </p>
        <p class="hint">{factsOf(factor)}</p>
        {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      </div>
      <Menu label={words.actionsFor(visible(factor.name))}>
        <button onClick={() => setDialog('rename')}>{words.rename}</button>
        <button class="danger" onClick={() => setDialog('remove')}>
          {words.remove}
        </button>
      </Menu>
      {dialog === 'rename' && (
        <Dialog title={words.rename} onClose={close}>
          <Form
            submit={words.save}
            onSubmit={async ({ name = '' }) => {
              await request('PATCH /auth/factors/{id}', { path, body: { name } })
              done(words.saved)
            }}
            after={
              <button class="quiet" type="button" onClick={close}>
                {words.cancel}
              </button>
            }
          >
            <Field name="name" label={words.factorName} autocomplete="off" initial={factor.name} first />
          </Form>
        </Dialog>
      )}
      {dialog === 'remove' && (
        <Dialog title={words.removeFactor(visible(factor.name))} onClose={close}>
          <p>{words.removeFactorHint}</p>
          <div class="line">
            <button
              class="danger"
              onClick={() => {
                close()
                request('DELETE /auth/factors/{id}', { path }).then(
                  () => done(words.removed),
                  (error: unknown) => setProblem(toFault(error).message),
                )
              }}
            >
              {words.remove}
            </button>
            <button class="quiet" onClick={close}>
              {words.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </li>
  )
}
