import { useLocation, useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { Loading } from '../../shared/frame/loading.js'
import { Notice } from '../../shared/frame/notice.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { carryOutcome, useOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { ConfirmDialog } from '../confirm-dialog.js'
import { addressOf, useConsole } from '../console.js'
import { backTo } from '../list/address.js'
import { Missing } from '../missing.js'
import { words } from '../words.js'
import { changesOf, undoing, type RoleChanges } from './changes.js'
import { NewRole } from './new-role.js'
import { RoleFacts } from './role-facts.js'
import { RoleForm } from './role-form.js'
import { RoleUsers } from './role-users.js'
import { useRoleRights, type Role } from './rights.js'

const above = () => ({ href: backTo('roles'), text: words.roles.title })

/** The key `page` is the address of the list, so that such a role is only there. */
const load = async (key: string, tenantId: number): Promise<Role | undefined> => {
  if (key !== 'page') return request('GET /system/role/{key}', { path: { key }, query: { tenantId } })
  const query = { roleKey: key, tenantId, pageNum: 1, pageSize: 100 }
  const { records } = await request('GET /system/role/page', { query })
  return records.find((role) => role.key === key)
}

interface DetailProps {
  role: Role
  setRole: (role: Role) => void
}

const Detail = ({ role, setRole }: DetailProps) => {
  const { me, may } = useConsole()
  const rights = useRoleRights()
  const { route } = useLocation()
  const outcome = useOutcome()
  const [isLeaving, setLeaving] = useState(false)
  // The form begins again with what was saved.
  const [version, setVersion] = useState(0)
  const { key, tenantId, tenantName, name } = role
  const target = { path: { key }, query: { tenantId } }
  const begin = (next: Role) => {
    setRole(next)
    setVersion((before) => before + 1)
  }
  const save = async (body: RoleChanges) => begin(await request('PATCH /system/role/{key}', { ...target, body }))
  const remove = async () => {
    await request('DELETE /system/role/{key}', target)
    carryOutcome(words.roles.deleted(visible(name)))
    route(backTo('roles'))
  }
  return (
    <Page
      title={visible(name)}
      above={above()}
      actions={
        rights.mayDelete(role) && (
          <button class="danger" onClick={() => setLeaving(true)}>
            {words.roles.delete}
          </button>
        )
      }
    >
      <div class="stack narrow">
        {me.admin && (
          <p class="muted">
            {may('system:tenant:list') ? (
              <a href={addressOf(`tenants/${tenantId}`)}>{visible(tenantName)}</a>
            ) : (
              visible(tenantName)
            )}
          </p>
        )}
        {outcome.notice}
        {rights.isKept(role) && <Notice kind="warn">{words.roles.kept}</Notice>}
        {rights.mayEdit(role) ? (
          <RoleForm
            key={version}
            role={role}
            submit={words.roles.save}
            onSubmit={async (draft) => {
              const changes = changesOf(role, draft)
              await save(changes)
              outcome.tell(words.roles.saved, () => save(undoing(role, changes)))
            }}
            after={(isChanged) =>
              isChanged && (
                <button type="button" class="quiet" onClick={() => begin(role)}>
                  {words.roles.discard}
                </button>
              )
            }
          />
        ) : (
          <RoleFacts role={role} />
        )}
        {may('system:user:list') && <RoleUsers role={role} />}
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={words.roles.deleteOf(visible(name))}
          submit={words.roles.delete}
          onConfirm={remove}
          onClose={() => setLeaving(false)}
        >
          <p>{words.roles.deleteHint}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

const Loaded = ({ roleKey, tenantId }: { roleKey: string; tenantId: number }) => {
  const role = useLoaded(async () => ({ found: await load(roleKey, tenantId) }))
  if (role.fault?.reason === 'not_found' || (role.data && !role.data.found)) return <Missing />
  if (role.data?.found) return <Detail role={role.data.found} setRole={(found) => role.set({ found })} />
  return (
    <Page title={words.roles.title} above={above()}>
      <Loading of={role}>{() => null}</Loading>
    </Page>
  )
}

/** A role, or the page that adds one. */
export const RoleRoom = () => {
  const { me } = useConsole()
  const { query } = useLocation()
  const { key = '' } = useRoute().params
  const { mayAdd } = useRoleRights()
  const tenantId = query['tenantId'] ?? String(me.tenantId)
  // The page of a role that has this key names its tenant.
  if (key === 'new' && query['tenantId'] === undefined) return mayAdd ? <NewRole /> : <Missing />
  if (!/^\d{1,15}$/.test(tenantId)) return <Missing />
  return <Loaded roleKey={key} tenantId={Number(tenantId)} key={`${tenantId} ${key}`} />
}
