import { useRoute } from 'preact-iso/router'
import { useEffect, useRef } from 'preact/hooks'
import { Loading } from '../../shared/frame/loading.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { addressOf, useConsole } from '../console.js'
import { DisabledTenantOf } from '../disabled-tenant.js'
import { backTo } from '../list/address.js'
import { Missing } from '../missing.js'
import { service, Status } from '../values.js'
import { words } from '../words.js'
import type { User } from './draft.js'
import { HeadActions, StateHint } from './head-actions.js'
import type { Tab } from './user-page.js'
import { tabs } from './tabs.js'

interface TabsProps {
  user: User
  name: string
  current: Tab
}

const Tabs = ({ user: { id, userType }, name, current }: TabsProps) => {
  const { may } = useConsole()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // In narrow windows the last tabs are out of sight.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current.path])
  return (
    <nav class="tabs" aria-label={name} ref={nav}>
      {tabs()
        .filter(({ needs, isOfPeople }) => (needs === undefined || may(needs)) && !(isOfPeople && userType === service))
        .map(({ path, text }) => (
          <a
            href={addressOf(path === '' ? `users/${id}` : `users/${id}/${path}`)}
            aria-current={path === current.path ? 'page' : undefined}
            key={path}
          >
            {text}
          </a>
        ))}
    </nav>
  )
}

const UserPage = ({ id, tab }: { id: number; tab: Tab }) => {
  const { may } = useConsole()
  const path = { id }
  const loaded = useLoaded(() => request('GET /system/user/{id}', { path }))
  const outcome = useOutcome(tab.path)
  const { data: user, fault } = loaded
  if (user === undefined)
    return (
      <Page title={fault?.reason === 'not_found' ? words.user.missing : words.user.title}>
        {fault?.reason === 'not_found' ? (
          <p>
            {may('system:user:list') ? (
              <a href={backTo('users')}>{words.user.backToUsers}</a>
            ) : (
              <a href={addressOf('')}>{words.common.backToStart}</a>
            )}
          </p>
        ) : (
          <Loading of={loaded}>{() => null}</Loading>
        )}
      </Page>
    )
  const name = visible(user.realName || user.username)
  const props = {
    user,
    setUser: (next: User) => loaded.set(() => next),
    reload: async () => {
      const next = await request('GET /system/user/{id}', { path })
      loaded.set(() => next)
    },
    outcome,
  }
  const Content = tab.component
  return (
    <Page
      // Another one than while it loads: it takes the focus.
      key={id}
      title={tab.path === '' ? name : words.user.tabOf(tab.text, name)}
      {...(may('system:user:list') && { above: { href: backTo('users'), text: words.user.users } })}
      heading={
        <>
          <h1>
            <Name text={user.realName || user.username} />
          </h1>
          <span class="lead">
            <Status of={user} />
          </span>
        </>
      }
      actions={<HeadActions {...props} />}
    >
      {outcome.notice}
      <DisabledTenantOf tenantId={user.tenantId} />
      <StateHint user={user} />
      <Tabs user={user} name={name} current={tab} />
      <Content {...props} />
    </Page>
  )
}

/** One user: a tab for what belongs to the account, each with its own address. */
export const UserRoom = () => {
  const { params } = useRoute()
  const { may } = useConsole()
  const id = /^[1-9]\d*$/.test(params['id'] ?? '') ? Number(params['id']) : Number.NaN
  const tab = tabs().find(({ path }) => path === (params['tab'] ?? ''))
  if (!Number.isSafeInteger(id) || tab === undefined) return <Missing />
  if (tab.needs !== undefined && !may(tab.needs)) return <Missing />
  return <UserPage id={id} tab={tab} key={id} />
}
