import type { Operations } from '../../../client/index.js'
import { Name } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { words } from '../words.js'
import { SearchDialog } from './search-dialog.js'

type Tenant = Operations['GET /system/tenant/page']['data']['records'][number]

interface TenantDialogProps {
  onChoose: (tenant: Tenant) => void
  onClose: () => void
}

const find = async (name: string): Promise<Tenant[]> => {
  const query = { pageNum: 1, pageSize: 10, orderByColumn: 'name', ...(name !== '' && { name }) }
  return (await request('GET /system/tenant/page', { query })).records
}

/** A search for a tenant by name. */
export const TenantDialog = (props: TenantDialogProps) => (
  <SearchDialog
    title={words.common.chooseTenant}
    label={words.common.searchTenants}
    none={words.common.noTenant}
    find={find}
    keyOf={({ id }) => id}
    line={({ name }) => <Name text={name} />}
    {...props}
  />
)
