import { useLocation, useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../../../../pages/console/confirm-dialog.js'
import { useConsole } from '../../../../pages/console/console.js'
import { backTo } from '../../../../pages/console/list/address.js'
import { Missing } from '../../../../pages/console/missing.js'
import { Loading } from '../../../../pages/shared/frame/loading.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { request } from '../../../../pages/shared/session/entered.js'
import { carryOutcome, useOutcome } from '../../../../pages/shared/shell/outcome.js'
import { Page, Section } from '../../../../pages/shared/shell/shell.js'
import { useLoaded } from '../../../../pages/shared/use-loaded.js'
import { Needs } from './needs.js'
import { NewApplication } from './new.js'
import { Preview } from './preview.js'
import { NewSecret, SecretShown } from './secret.js'
import { SettingsForm } from './settings-form.js'
import { useApplicationRights, type Application, type Change } from './values.js'
import { words } from './words.js'

const above = () => ({ href: backTo('applications'), text: words.title })

interface DetailProps {
  application: Application
  setApplication: (application: Application) => void
}

const Detail = ({ application, setApplication }: DetailProps) => {
  const { may } = useConsole()
  const rights = useApplicationRights()
  const { route } = useLocation()
  const outcome = useOutcome()
  const [open, setOpen] = useState<'secret' | 'delete'>()
  const [secret, setSecret] = useState<string>()
  // The form begins again with what was saved.
  const [version, setVersion] = useState(0)
  const { id } = application
  const name = visible(application.name)
  const path = { id }
  const begin = (next: Application) => {
    setApplication(next)
    setVersion((before) => before + 1)
  }
  const save = async (body: Change) => {
    begin(await request('PATCH /system/client/{id}', { path, body }))
    outcome.tell(words.saved)
  }
  const remove = async () => {
    await request('DELETE /system/client/{id}', { path })
    carryOutcome(words.deleted(name))
    route(backTo('applications'))
  }
  return (
    <Page
      title={name}
      above={above()}
      actions={
        rights.mayDelete(application) && (
          <button class="danger" onClick={() => setOpen('delete')}>
            {words.delete}
          </button>
        )
      }
    >
      <div class="stack narrow">
        {outcome.notice}
        <Needs application={application} onNew={rights.mayEdit(application) ? () => setOpen('secret') : undefined} />
        {rights.mayEdit(application) && (
          <Section heading={words.settings}>
            <SettingsForm key={version} application={application} onSave={save} onDiscard={() => begin(application)} />
          </Section>
        )}
        {may('system:user:list') && <Preview application={application} />}
      </div>
      {open === 'secret' && (
        <NewSecret
          application={application}
          onClose={() => setOpen(undefined)}
          onMade={(made) => {
            setOpen(undefined)
            setSecret(made)
            request('GET /system/client/{id}', { path }).then(setApplication, () => undefined)
          }}
        />
      )}
      {secret !== undefined && (
        <SecretShown name={application.name} secret={secret} onDone={() => setSecret(undefined)} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={words.deleteOf(name)}
          submit={words.delete}
          onConfirm={remove}
          onClose={() => setOpen(undefined)}
        >
          <p>{words.deleteHint}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

const Loaded = ({ id }: { id: string }) => {
  const application = useLoaded(() => request('GET /system/client/{id}', { path: { id } }))
  if (application.fault?.reason === 'not_found') return <Missing />
  if (application.data) return <Detail application={application.data} setApplication={application.set} />
  return (
    <Page title={words.title} above={above()}>
      <Loading of={application}>{() => null}</Loading>
    </Page>
  )
}

/** An application, or the page that adds one. */
export const ApplicationRoom = () => {
  const { id = '' } = useRoute().params
  const { mayAdd } = useApplicationRights()
  if (id === 'new') return mayAdd ? <NewApplication /> : <Missing />
  return <Loaded id={id} key={id} />
}
