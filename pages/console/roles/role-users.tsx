import { Item } from '../../shared/frame/item.js'
import { Loading } from '../../shared/frame/loading.js'
import { number } from '../../shared/language/language.js'
import { Name } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { addressOf, useConsole } from '../console.js'
import { words } from '../words.js'
import type { Role } from './rights.js'

/** Users that are named; the list has the others. */
const shown = 10

/** Who has a role, for those who may list users. */
export const RoleUsers = ({ role: { key, tenantId } }: { role: Role }) => {
  const { me, may } = useConsole()
  const query = { role: key, tenantId, pageNum: 1, pageSize: shown, orderByColumn: 'realName' }
  const users = useLoaded(() => request('GET /system/user/page', { query }), [key, tenantId])
  const filters = new URLSearchParams({ role: key, ...(me.admin && { tenantId: String(tenantId) }) })
  return (
    <Section heading={words.roles.users}>
      <Loading of={users}>
        {({ records, total }) => (
          <>
            {total === 0 && <p class="muted">{words.roles.nobody}</p>}
            <ul class="items">
              {records.map(({ id, realName, username }) => (
                <Item
                  key={id}
                  name={
                    may('system:user:view') ? (
                      <a href={addressOf(`users/${id}`)}>
                        <Name text={realName || username} />
                      </a>
                    ) : (
                      <Name text={realName || username} />
                    )
                  }
                  facts={<Name text={username} />}
                />
              ))}
            </ul>
            {total > 0 && (
              <p>
                <a href={`${addressOf('users')}?${filters.toString()}`}>{words.roles.allUsers(total, number(total))}</a>
              </p>
            )}
          </>
        )}
      </Loading>
    </Section>
  )
}
