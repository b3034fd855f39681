import { CopyButton } from '../../../../pages/shared/frame/copy-button.js'
import { Cancel } from '../../../../pages/shared/frame/cancel.js'
import { SelectField } from '../../../../pages/shared/form/select-field.js'
import { Form } from '../../../../pages/shared/form/use-form.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { request } from '../../../../pages/shared/session/entered.js'
import { Dialog } from '../../../../pages/shared/shell/dialog.js'
import type { Application } from './values.js'
import { words } from './words.js'

interface SecretShownProps {
  name: string
  secret: string
  onDone: () => void
}

/** A new secret, this once. */
export const SecretShown = ({ name, secret, onDone }: SecretShownProps) => (
  <Dialog title={words.madeTitle(visible(name))} onClose={onDone}>
    <p>{words.madeHint}</p>
    <pre class="mono">{secret}</pre>
    <div class="actions">
      <CopyButton text={secret} />
      <button type="button" class="primary" onClick={onDone}>
        {words.done}
      </button>
    </div>
  </Dialog>
)

interface NewSecretProps {
  application: Application
  onMade: (secret: string) => void
  onClose: () => void
}

/** Asks how long the secret of before is taken, and makes another. */
export const NewSecret = ({ application: { id }, onMade, onClose }: NewSecretProps) => (
  <Dialog title={words.newSecret} onClose={onClose}>
    <p>{words.newSecretHint}</p>
    <Form
      submit={words.newSecret}
      onSubmit={async ({ overlap }) => {
        const body = { overlapDays: Number(overlap) }
        onMade((await request('POST /system/client/{id}/secret', { path: { id }, body })).secret)
      }}
      after={<Cancel onClick={onClose} />}
    >
      <SelectField
        name="overlap"
        label={words.overlap}
        value="0"
        options={[0, 1, 7, 30].map((days) => [String(days), words.overlaps(days)])}
      />
    </Form>
  </Dialog>
)
