import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { TitleCell } from '../list/title-cell.js'
import { dateAndTime, number } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { Page } from '../../shared/shell/shell.js'
import { Cancel } from '../../shared/frame/cancel.js'
import { Field } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { request } from '../../shared/session/entered.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { carryOutcome } from '../../shared/shell/outcome.js'
import { addressOf } from '../console.js'
import { Search } from '../list/filters.js'
import { Table, type Column } from '../list/table.js'
import { useList } from '../list/use-list.js'
import { usePlace } from '../list/use-place.js'
import { words } from '../words.js'
import { useTenantRights, type Tenant } from './rights.js'

/** Asks for the name of a new tenant, and goes to its page. */
const NewTenant = ({ onClose }: { onClose: () => void }) => {
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

export const TenantStatus = ({ tenant: { enabled } }: { tenant: Tenant }) => (
  <span class={enabled ? 'status' : 'status off'}>{enabled ? words.tenants.enabled : words.tenants.disabled}</span>
)

const columns = (): Column<Tenant>[] => [
  {
    heading: words.tenants.name,
    sort: 'name',
    title: ({ name }) => visible(name),
    cell: ({ id, name }) => <TitleCell name={name} href={addressOf(`tenants/${id}`)} />,
  },
  { heading: words.tenants.id, width: 'tiny', hides: 700, look: 'num', sort: 'id', cell: ({ id }) => id },
  { heading: words.tenants.status, width: 'tiny', cell: (tenant) => <TenantStatus tenant={tenant} /> },
  {
    heading: words.tenants.factor,
    width: 'time',
    hides: 700,
    cell: ({ secondFactorRequired }) =>
      secondFactorRequired ? words.tenants.required : <span class="muted">{words.tenants.notRequired}</span>,
  },
  {
    heading: words.tenants.created,
    width: 'time',
    hides: 1024,
    look: 'num',
    sort: 'createTime',
    cell: ({ createTime }) => dateAndTime(new Date(createTime)),
  },
]

/** The tenants: all of them, or the own one. */
export const Tenants = () => {
  const { mayAdd } = useTenantRights()
  const [isAdding, setAdding] = useState(false)
  const list = useList('GET /system/tenant/page', { sort: 'name', filters: ['name'] })
  usePlace('tenants', list)
  const add = mayAdd && (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      {words.tenants.add}
    </button>
  )
  return (
    <Page title={words.tenants.title} actions={add}>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search of={list} name="name" label={words.tenants.search} placeholder={words.tenants.name} />
      </form>
      <Table
        of={list}
        caption={words.tenants.title}
        columns={columns()}
        keyOf={({ id }) => id}
        bar={(total) => words.tenants.count(total, number(total))}
        empty={{ title: words.tenants.none, hint: words.tenants.noneHint, actions: add }}
      />
      {isAdding && <NewTenant onClose={() => setAdding(false)} />}
    </Page>
  )
}
