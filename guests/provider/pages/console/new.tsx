import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import type { Operations } from '../../../../client/index.js'
import { useConsole } from '../../../../pages/console/console.js'
import { backTo } from '../../../../pages/console/list/address.js'
import { useChosenTenant } from '../../../../pages/console/list/chosen-tenant.js'
import { TenantField } from '../../../../pages/console/users/tenant-field.js'
import { Field } from '../../../../pages/shared/form/field.js'
import { SelectField } from '../../../../pages/shared/form/select-field.js'
import { Form } from '../../../../pages/shared/form/use-form.js'
import { frame } from '../../../../pages/shared/language/frame-words.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { request } from '../../../../pages/shared/session/entered.js'
import { Refusal } from '../../../../pages/shared/session/fault.js'
import { carryOutcome } from '../../../../pages/shared/shell/outcome.js'
import { Page } from '../../../../pages/shared/shell/shell.js'
import { knownApplications, settingsOfKnown, type KnownApplication } from '../../shared/known.js'
import { AddressField, addressesOf } from './address-field.js'
import { atField } from './at-field.js'
import { SecretShown } from './secret.js'
import { applicationAddress, type Application } from './values.js'
import { words } from './words.js'

type Body = Operations['POST /system/client']['body']

const known: Record<string, KnownApplication> = knownApplications

/** What is known of an application at this address. */
const filledIn = (application: KnownApplication, url: string) => {
  if (!URL.canParse(url)) throw new Refusal('', { homeUrl: words.homeUrlFault })
  return settingsOfKnown(application, url)
}

/** Adds an application, and shows its secret. */
export const NewApplication = () => {
  const { me } = useConsole()
  const { route } = useLocation()
  const [choice, setChoice] = useState('')
  const [type, setType] = useState<Application['type']>('confidential')
  const [tenant, setTenant] = useChosenTenant()
  const [made, setMade] = useState<Application>()
  const chosen = known[choice]
  const leave = ({ id, name }: Application) => {
    carryOutcome(words.added(visible(name)))
    route(applicationAddress(id))
  }
  const add = async (values: Record<string, string>) => {
    const { name = '', id = '', homeUrl = '' } = values
    const body: Body = {
      ...(chosen
        ? filledIn(chosen, homeUrl)
        : { ...addressesOf(type, values), type, ...(homeUrl !== '' && { homeUrl }) }),
      name,
      tenantId: tenant.id,
      ...(id !== '' && { id }),
    }
    const added = await request('POST /system/client', { body }).catch((error: unknown) => {
      throw atField(error)
    })
    if (added.secret === undefined) leave(added)
    else setMade(added)
  }
  return (
    <Page title={words.add} above={{ href: backTo('applications'), text: words.title }}>
      <div class="narrow">
        <Form
          submit={words.add}
          at={{ client_exists: 'id' }}
          onSubmit={add}
          after={
            <a class="button quiet" href={backTo('applications')}>
              {frame.cancel}
            </a>
          }
        >
          <SelectField
            name="known"
            label={words.known}
            hint={words.knownHint}
            value={choice}
            options={[['', words.another], ...Object.entries(known).map(([key, { name }]) => [key, name] as const)]}
            onChange={setChoice}
          />
          <div class="pair" key={choice}>
            <Field name="name" label={words.name} hint={words.nameHint} autocomplete="off" initial={chosen?.name} />
            <Field
              name="id"
              label={words.id}
              hint={words.idHint}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              required={false}
              initial={choice}
            />
          </div>
          {me.admin && <TenantField tenant={tenant} onChoose={setTenant} />}
          <Field
            name="homeUrl"
            label={words.homeUrl}
            hint={chosen ? words.homeUrlKnownHint : words.homeUrlHint}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required={chosen !== undefined}
          />
          {!chosen && (
            <>
              <SelectField
                name="type"
                label={words.type}
                value={type}
                // Only who sees all tenants may say at which hosts a proxy asks.
                options={Object.entries(words.types).filter(([key]) => key !== 'forward' || me.admin)}
                onChange={(value) => setType(value as Application['type'])}
              />
              <AddressField type={type} />
            </>
          )}
        </Form>
      </div>
      {made?.secret !== undefined && <SecretShown name={made.name} secret={made.secret} onDone={() => leave(made)} />}
    </Page>
  )
}
