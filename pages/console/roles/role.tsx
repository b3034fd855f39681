import { useLocation, useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { covers } from '../../../client/index.js'
import { Loading } from '../../shared/frame/loading.js'
import { Notice } from '../../shared/frame/notice.js'
import { frame } from '../../shared/language/frame-words.js'
import { sentences } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Refusal } from '../../shared/session/fault.js'
import { carryOutcome, useOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { ConfirmDialog } from '../confirm-dialog.js'
import { addressOf, useConsole } from '../console.js'
import { backTo } from '../list/address.js'
import { Missing } from '../missing.js'
import { useLacksFactor } from '../own-factor.js'
import { words } from '../words.js'
import { changesOf, undoing, type RoleChanges } from './changes.js'
import { NewRole } from './new-role.js'
import { RoleFacts } from './role-facts.js'
import { RoleForm, type Draft } from './role-form.js'
import { RoleUsers } from './role-users.js'
import { useRoleRights, type Role } from './rights.js'
import { OwnLoss } from './own-loss.js'
import { takenBy } from './taken.js'

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
  const lacksFactor = useLacksFactor(rights.mayEdit(role))
  const { route } = useLocation()
  const outcome = useOutcome()
  const [isLeaving, setLeaving] = useState(false)
  const [losing, setLosing] = useState<{ taken: readonly string[]; answer: (goesOn: boolean) => void }>()
  // The form begins again with what was saved.
  const [version, setVersion] = useState(0)
  const { key, tenantId, tenantName, name } = role
  const target = { path: { key }, query: { tenantId } }
  const begin = (next: Role) => {
    setRole(next)
    setVersion((before) => before + 1)
  }
  const save = async (body: RoleChanges) => begin(await request('PATCH /system/role/{key}', { ...target, body }))
  const isOwn = tenantId === me.tenantId && me.roleKeys.includes(key)
  /** What the other roles of the person grant. */
  const grantedByOthers = async (): Promise<string[]> => {
    const others = await Promise.all(me.roleKeys.filter((one) => one !== key).map((one) => load(one, tenantId)))
    return others.flatMap((other) => other?.permissions ?? [])
  }
  /** Asks whoever would lose something by it. Resolves to whether the person can undo it. */
  const askOfLoss = async ({ permissions }: RoleChanges): Promise<boolean> => {
    if (!isOwn || permissions === undefined) return true
    const others = await grantedByOthers()
    const taken = takenBy(role.permissions, permissions, others)
    if (taken.length === 0) return true
    const goesOn = await new Promise<boolean>((answer) => setLosing({ taken, answer }))
    setLosing(undefined)
    if (!goesOn) throw new Refusal(frame.notChanged)
    return [...permissions, ...others].some(covers('system:role:edit'))
  }
  const saveDraft = async (draft: Draft) => {
    const changes = changesOf(role, draft)
    const canUndo = await askOfLoss(changes)
    await save(changes)
    const needsFactor = changes.secondFactorRequired === true && lacksFactor
    outcome.tell(words.roles.saved, canUndo && !needsFactor ? () => save(undoing(role, changes)) : undefined)
  }
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
            lacksFactor={lacksFactor}
            submit={words.roles.save}
            onSubmit={saveDraft}
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
          <p>{sentences(isOwn && words.roles.isOwn, words.roles.deleteHint)}</p>
        </ConfirmDialog>
      )}
      {losing && <OwnLoss {...losing} />}
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
