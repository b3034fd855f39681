import { useLocation } from 'preact-iso/router'
import { Cancel } from '../../shared/frame/cancel.js'
import { Field } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { carryOutcome } from '../../shared/shell/outcome.js'
import { addressOf } from '../console.js'
import { words } from '../words.js'

/** Asks for the name of a new tenant, and goes to its page. */
export const NewTenant = ({ onClose }: { onClose: () => void }) => {
  const { route } = useLocation()
  return (
    <Dialog title={words.tenants.add} onClose={onClose}>
      <Form
        submit={words.tenants.add}
        onSubmit={async ({ name = '' }) => {
          const { id } = await request('POST /system/tenant', { body: { name } })
          carryOutcome(words.tenants.added(visible(name)))
          route(addressOf(`tenants/${id}`))
        }}
        after={<Cancel onClick={onClose} />}
      >
        <Field name="name" label={words.tenants.name} hint={words.tenants.nameHint} autocomplete="off" first />
      </Form>
    </Dialog>
  )
}
