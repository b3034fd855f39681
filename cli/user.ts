import { Option, type Command } from 'commander'
import { operatorActor } from '../lib/actor.js'
import { userStatuses } from '../schemas/user.js'
import { report, withInstalledApp } from './context.js'
import {
  jsonOption,
  nameArgument,
  nameOption,
  ofUser,
  passwordOption,
  requireOption,
  tenantId,
  tenantOption,
  type OfUser,
} from './options.js'
import { readNewPassword } from './password-input.js'
import { registerUserEdit } from './user-edit.js'
import { registerUserFactors } from './user-factors.js'
import { registerUserImport } from './user-import.js'
import { registerUserImportTemplate } from './user-import-template.js'
import { registerUserInvite } from './user-invite.js'
import { registerUserList } from './user-list.js'
import { registerUserShow } from './user-show.js'
import { userTypeOf, userTypeOption } from './user-type.js'

interface AddOptions {
  username: string
  realName?: string
  phone?: string
  email?: string
  tenant?: string
  type: string
  role?: string[]
  forceChange: boolean
  passwordStdin?: boolean
  service?: true
  json?: boolean
}
type PasswordOptions = Pick<AddOptions, 'tenant' | 'json' | 'passwordStdin' | 'forceChange'> & { unlink?: boolean }

interface VerifyOptions {
  tenant?: string
  phone?: boolean
  email?: boolean
  json?: boolean
}

const collect = (value: string, values: string[] = []) => [...values, value]

const add = (user: Command) =>
  requireOption(user.command('add').description('add a user'), nameOption('--username <name>', 'name to sign in with'))
    .addOption(nameOption('--real-name <name>', 'name of the person; absent means the user name'))
    .option('--phone <number>', 'phone number')
    .option('--email <address>', 'e-mail address')
    .addOption(tenantOption())
    .addOption(userTypeOption().default('user'))
    .addOption(
      new Option('--service', 'a service account, which signs in by API tokens only and has no password').conflicts([
        'type',
        'passwordStdin',
        'phone',
        'email',
      ]),
    )
    .option('--role <key>', 'key of a role; may be given several times', collect)
    .option('--no-force-change', 'do not require a password change at the first sign-in')
    .addOption(passwordOption())
    .addOption(jsonOption())
    .action(async (options: AddOptions) => {
      await withInstalledApp(async (app) => {
        const password = options.service
          ? undefined
          : await readNewPassword(options, (text) => app.passwords.check('password', text, [options.username]))
        const user = {
          username: options.username,
          password,
          realName: options.realName,
          phone: options.phone,
          email: options.email,
          tenantId: await tenantId(app, options.tenant),
          userType: await userTypeOf(options.service ? 'service' : options.type),
          roleKeys: options.role,
          forcePasswordChange: options.service ? false : options.forceChange,
        }
        const added = await app.management.add(operatorActor(), user, { rolesField: 'role' })
        const { id, username } = added
        report(options, { id, tenantId: added.tenantId, username }, `Added user ${username} (id ${id}).`)
      })
    })

const passwd = (user: Command) =>
  user
    .command('passwd')
    .description('set the password of a user; ends the sessions of the user')
    .addArgument(nameArgument())
    .addOption(tenantOption())
    .option('--no-force-change', 'do not require a password change at the next sign-in')
    .option('--unlink', 'also remove the linked identities of the user')
    .addOption(passwordOption())
    .addOption(jsonOption())
    .action(async (username: string, options: PasswordOptions) => {
      await withInstalledApp(async (app) => {
        const password = await readNewPassword(options, (text) => app.passwords.check('password', text, [username]))
        const { id } = await app.accounts.findUser(username, await tenantId(app, options.tenant))
        await app.management.setPassword(operatorActor(), id, password, {
          forcePasswordChange: options.forceChange,
          unlinkIdentities: options.unlink,
        })
        const linked = (await app.db.identities.ofUser(id)).length
        const done = `The password of ${username} is set; the sessions of the user have ended.`
        const left = `Linked identities that still sign in: ${linked}; see rollcall identity list ${username}.`
        report(options, { id, username, linkedIdentities: linked }, linked > 0 ? `${done}\n${left}` : done)
      })
    })

/** Commands with no argument but a user name. */
const changes = {
  enable: { description: 'let a disabled user sign in again', done: 'is enabled' },
  disable: { description: 'refuse a user; ends the sessions of the user', done: 'is disabled' },
  unlock: {
    description: 'end the lockouts after failed sign-ins and wrong codes, the status locked, and a ban',
    done: 'may try to sign in again',
  },
  unban: { description: 'end the ban for a time', done: 'is not banned' },
} as const

const change = (user: Command, name: keyof typeof changes) =>
  ofUser(user.command(name))
    .description(changes[name].description)
    .action(async (username: string, options: OfUser) => {
      await withInstalledApp(async (app) => {
        const tenant = await tenantId(app, options.tenant)
        const { id } = await app.accounts.findUser(username, tenant)
        const { bannedUntil, userStatus } = await app.management.get(operatorActor(), id)
        if (name === 'unban') await app.management.bans.unban(operatorActor(), id)
        else await app.management.act(operatorActor(), id, name)
        const done = `User ${username} ${changes[name].done}.`
        if (name !== 'unlock') {
          report(options, { id, username }, done)
          return
        }
        // What an unlock leaves, and what it took that somebody may have meant to last.
        const isDisabled = userStatus === userStatuses.disabled
        const text = isDisabled ? `User ${username} stays disabled; see rollcall user enable.` : done
        const lifted = bannedUntil === null ? '' : ` The ban until ${bannedUntil} is lifted.`
        report(options, { id, username, liftedBan: bannedUntil, isDisabled }, text + lifted)
      })
    })

const verify = (user: Command) =>
  user
    .command('verify')
    .description('mark the phone number and e-mail address of a user as verified')
    .addArgument(nameArgument())
    .option('--phone', 'only the phone number')
    .option('--email', 'only the e-mail address')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .action(async (username: string, options: VerifyOptions) => {
      await withInstalledApp(async (app) => {
        const { phone = false, email = false } = options
        const both = phone === email
        const wanted = { phone: phone || both, email: email || both }
        const verified = await app.accounts.verifyContacts(username, wanted, await tenantId(app, options.tenant))
        report(options, { username, verified }, `Verified for ${username}: ${verified.join(', ')}.`)
      })
    })

export const registerUser = (program: Command): void => {
  const user = program.command('user').description('list, add, change and delete users, set passwords')
  registerUserList(user)
  registerUserShow(user)
  add(user)
  registerUserEdit(user)
  passwd(user)
  registerUserImport(user)
  registerUserImportTemplate(user)
  registerUserInvite(user)
  for (const name of Object.keys(changes) as (keyof typeof changes)[]) change(user, name)
  registerUserFactors(user)
  verify(user)
}
