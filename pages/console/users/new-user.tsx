import { sentences } from '../../shared/language/language.js'
import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import type { Operations } from '../../../client/index.js'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { nameOf } from '../../shared/frame/branding.js'
import { namesOf, NewPasswordField } from '../../shared/form/new-password-field.js'
import { Form, type Values } from '../../shared/form/use-form.js'
import { frame } from '../../shared/language/frame-words.js'
import { visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { carryOutcome } from '../../shared/shell/outcome.js'
import { Page } from '../../shared/shell/shell.js'
import { addressOf, useConsole } from '../console.js'
import { DisabledTenant } from '../disabled-tenant.js'
import { backTo } from '../list/address.js'
import { useChosenTenant } from '../list/chosen-tenant.js'
import { service } from '../values.js'
import { words } from '../words.js'
import { TenantField } from './tenant-field.js'
import { UserInputs } from './user-inputs.js'

type NewUser = Operations['POST /system/user']['body']

/** What is left empty is not sent. */
const toUser = ({ username = '', gender, userType, ...values }: Values): NewUser => {
  const { realName, phone, email, password, remark } = values
  const given = { realName, phone, email, password, remark }
  return {
    username,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== '')),
    gender: Number(gender) as NonNullable<NewUser['gender']>,
    userType: Number(userType) as NonNullable<NewUser['userType']>,
  }
}

/** What a user without a password gets, by the contacts that are typed and the ways on which messages go. */
const invitation = ({ email = '', phone = '', password = '' }: Values, channels: readonly string[]): string => {
  if (password !== '') return words.users.passwordHint
  if (channels.length === 0) return words.users.noInvitation
  const [byMail, byMessage] = [channels.includes('email'), channels.includes('phone')]
  if (byMail && email !== '') return words.users.invitedByMail
  if (byMessage && phone !== '') return words.users.invitedByMessage
  return byMail && byMessage ? words.users.needsContact : byMail ? words.users.needsEmail : words.users.needsPhone
}

/** Adds a user. */
export const AddUser = () => {
  const { config, me, lacksLink } = useConsole()
  const { route } = useLocation()
  const [typed, setTyped] = useState<Values>({})
  const [tenant, setTenant] = useChosenTenant()
  const [roleKeys, setRoleKeys] = useState<string[]>([])
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged)
  const hint = invitation(typed, config.resetChannels)
  const isInvited = hint === words.users.invitedByMail || hint === words.users.invitedByMessage
  const add = async (values: Values) => {
    const body = { ...toUser(values), roleKeys, tenantId: tenant.id }
    const { id, username } = await request('POST /system/user', { body })
    setChanged(false)
    const name = visible(username)
    const isInvited = body.password === undefined && body.userType !== service
    carryOutcome(isInvited ? words.users.addedInvited(name) : words.users.added(name))
    route(addressOf(`users/${id}`))
  }

  return (
    <Page title={words.users.addTitle} above={{ href: backTo('users'), text: words.users.title }}>
      <div
        class="stack column"
        onInput={({ target }) => {
          const { name, type, value } = target as HTMLInputElement
          // Who searches for a tenant or a role has changed nothing.
          if (type !== 'search') {
            setChanged(true)
            setTyped((before) => ({ ...before, [name]: value }))
          }
        }}
      >
        {me.admin && (
          <TenantField
            tenant={tenant}
            onChoose={(chosen) => {
              setTenant(chosen)
              setRoleKeys([])
              setChanged(true)
            }}
          />
        )}
        <DisabledTenant tenant={tenant} />
        <Form
          label={words.users.addTitle}
          submit={words.users.add}
          busy={words.users.adding}
          onSubmit={add}
          after={
            <a class="button" href={backTo('users')}>
              {frame.cancel}
            </a>
          }
        >
          <UserInputs
            tenantId={tenant.id}
            roleKeys={roleKeys}
            onRoles={(keys) => {
              setRoleKeys(keys)
              setChanged(true)
            }}
            password={
              <NewPasswordField
                name="password"
                label={words.users.password}
                minLength={config.passwordPolicy.minLength}
                service={nameOf(config)}
                names={namesOf({ ...typed, username: typed['username'] ?? '' }, tenant.name)}
                required={false}
                hint={sentences(
                  hint,
                  isInvited && lacksLink && words.common.noLink,
                  hint !== words.users.passwordHint && hint !== words.users.noInvitation && words.users.ifPassword,
                )}
              />
            }
          />
        </Form>
      </div>
    </Page>
  )
}
