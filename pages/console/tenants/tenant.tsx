import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { base, hasPage } from '../../shared/base.js'
import { CopyButton } from '../../shared/frame/copy-button.js'
import { Fact } from '../../shared/frame/fact.js'
import { Loading } from '../../shared/frame/loading.js'
import { dateAndTime } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { ConfirmDialog } from '../confirm-dialog.js'
import { addressOf, useConsole } from '../console.js'
import { backTo } from '../list/address.js'
import { Missing } from '../missing.js'
import { useLacksFactor } from '../own-factor.js'
import { words } from '../words.js'
import { TenantMethods } from './methods.js'
import { useTenantRights, type Tenant } from './rights.js'
import { TenantSettings, type Settings } from './settings.js'
import { TenantStatus } from './tenants.js'

const above = () => ({ href: backTo('tenants'), text: words.tenants.title })

/** Lists of what is in the tenant. */
const links = () =>
  [
    ['users', 'system:user:list', words.tenants.itsUsers],
    ['roles', 'system:role:list', words.tenants.itsRoles],
    ['sessions', 'system:session:list', words.tenants.itsSessions],
    ['sign-ins', 'system:loginlog:list', words.tenants.itsSignIns],
  ] as const

/** Where the people of a tenant sign in. */
const signInAddress = ({ id }: Tenant, publicUrl: string | null): string =>
  `${publicUrl === null ? base.href : `${publicUrl.replace(/\/$/, '')}/`}sign-in?tenant=${id}`

const Facts = ({ tenant }: { tenant: Tenant }) => {
  const { config, may } = useConsole()
  const address = signInAddress(tenant, config.publicUrl)
  const { mayEdit } = useTenantRights()
  return (
    <Section heading={words.tenants.facts}>
      <dl class="facts">
        <Fact name={words.tenants.status}>
          <TenantStatus tenant={tenant} />
        </Fact>
        {!mayEdit && (
          <Fact name={words.tenants.factor}>
            {tenant.secondFactorRequired ? words.tenants.required : words.tenants.notRequired}
          </Fact>
        )}
        <Fact name={words.tenants.id}>
          <span class="num">{tenant.id}</span>
        </Fact>
        {hasPage('sign-in') && (
          <Fact name={words.tenants.signInAddress}>
            <span class="line">
              <span class="what">{address}</span>
              <CopyButton text={address} />
            </span>
          </Fact>
        )}
        <Fact name={words.tenants.created}>{dateAndTime(new Date(tenant.createTime))}</Fact>
      </dl>
      <ul class="line">
        {links()
          .filter(([, needs]) => may(needs))
          .map(([path, , text]) => (
            <li key={path}>
              <a class="button" href={`${addressOf(path)}?tenantId=${tenant.id}`}>
                {text}
              </a>
            </li>
          ))}
      </ul>
    </Section>
  )
}

/** Where people sign in who name no tenant: the service refuses to disable it. */
const defaultTenant = 1

interface DetailProps {
  tenant: Tenant
  setTenant: (tenant: Tenant) => void
}

const Detail = ({ tenant, setTenant }: DetailProps) => {
  const { mayEdit } = useTenantRights()
  const lacksFactor = useLacksFactor(mayEdit)
  const outcome = useOutcome()
  const [isDisabling, setDisabling] = useState(false)
  const { id, enabled } = tenant
  const name = visible(tenant.name)
  const change = async (body: Partial<Settings & Pick<Tenant, 'enabled'>>) =>
    setTenant(await request('PATCH /system/tenant/{id}', { path: { id }, body }))
  const enable = () => change({ enabled: true })
  const disable = async () => {
    await change({ enabled: false })
    setDisabling(false)
    outcome.tell(words.tenants.isDisabled(name), enable)
  }
  const toggle = (
    <button
      type="button"
      onClick={() => {
        if (enabled) setDisabling(true)
        else outcome.attempt(enable(), words.tenants.isEnabled(name))
      }}
    >
      {enabled ? words.tenants.disable : words.tenants.enable}
    </button>
  )
  return (
    <Page title={name} above={above()} actions={mayEdit && !(enabled && id === defaultTenant) && toggle}>
      <div class="narrow">{outcome.notice}</div>
      <Facts tenant={tenant} />
      {mayEdit && (
        <>
          <TenantSettings
            key={`${tenant.name} ${tenant.secondFactorRequired}`}
            tenant={tenant}
            lacksFactor={lacksFactor}
            onSave={async (settings) => {
              const { name: before, secondFactorRequired } = tenant
              await change(settings)
              const isKept = lacksFactor && settings.secondFactorRequired && !secondFactorRequired
              const undo = () => change({ name: before, secondFactorRequired })
              outcome.tell(words.tenants.saved, isKept ? undefined : undo)
            }}
          />
          <TenantMethods tenant={tenant} outcome={outcome} />
        </>
      )}
      {isDisabling && (
        <ConfirmDialog
          title={words.tenants.disableOf(name)}
          submit={words.tenants.disable}
          onConfirm={disable}
          onClose={() => setDisabling(false)}
        >
          <p>{words.tenants.disableHint}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

const Loaded = ({ id }: { id: number }) => {
  const tenant = useLoaded(() => request('GET /system/tenant/{id}', { path: { id } }))
  if (tenant.fault?.reason === 'not_found') return <Missing />
  if (tenant.data) return <Detail tenant={tenant.data} setTenant={tenant.set} />
  return (
    <Page title={words.tenants.title} above={above()}>
      <Loading of={tenant}>{() => null}</Loading>
    </Page>
  )
}

/** One tenant. */
export const TenantRoom = () => {
  const { id = '' } = useRoute().params
  return /^[1-9]\d{0,14}$/.test(id) ? <Loaded id={Number(id)} key={id} /> : <Missing />
}
