import { useRef, useState } from 'preact/hooks'
import { Cancel } from '../../shared/frame/cancel.js'
import { Field } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { dateAndTime, sentences } from '../../shared/language/language.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { Menu } from '../../shared/shell/menu.js'
import { words } from '../words.js'
import type { Factor, PartProps } from './parts.js'

interface FactorRowProps extends Pick<PartProps, 'own' | 'reload' | 'onRemoved' | 'outcome'> {
  factor: Factor
}

const factsOf = ({ kind, backedUp, createTime, lastUsedTime, secondOnly }: Factor): string =>
  [
    ...(kind === 'passkey' ? [backedUp === true ? words.synced : words.onOneDevice] : []),
    ...(secondOnly && kind === 'passkey' ? [words.secondOnly] : []),
    words.added(dateAndTime(new Date(createTime))),
    lastUsedTime === null ? words.neverUsed : words.lastUsed(dateAndTime(new Date(lastUsedTime))),
  ].join(' · ')

/** A factor, to be renamed or removed. */
export const FactorRow = ({ factor, own, reload, onRemoved, outcome }: FactorRowProps) => {
  const [dialog, setDialog] = useState<'rename' | 'remove'>()
  const row = useRef<HTMLLIElement>(null)
  const path = { id: factor.id }
  const isLast = own.factors.length === 1
  // The service would refuse it.
  const stays = isLast && own.policy === 'required'
  const close = () => setDialog(undefined)
  const remove = () => {
    close()
    const actions = row.current?.querySelector('summary')
    if (actions) outcome.remove(request('DELETE /auth/factors/{id}', { path }), actions, onRemoved, words.removed)
  }
  return (
    <li ref={row}>
      <div class="what">
        <p>
          <Name text={factor.name} />
        </p>
        <p class="hint">{factsOf(factor)}</p>
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
              close()
              outcome.tell(words.saved)
              reload()
            }}
            after={<Cancel onClick={close} />}
          >
            <Field name="name" label={words.factorName} autocomplete="off" initial={factor.name} first />
          </Form>
        </Dialog>
      )}
      {dialog === 'remove' && (
        <Dialog title={words.removeFactor(visible(factor.name))} onClose={close}>
          {/* Two apps may have one name. */}
          <p class="hint">{factsOf(factor)}</p>
          <p>{stays ? words.lastFactorStays : sentences(words.removeFactorHint, isLast && words.lastFactorHint)}</p>
          <div class="line">
            {!stays && (
              <button class="danger" onClick={remove}>
                {words.remove}
              </button>
            )}
            <Cancel onClick={close} />
          </div>
        </Dialog>
      )}
    </li>
  )
}
