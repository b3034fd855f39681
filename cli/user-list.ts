import { countOf } from '../lib/count-of.js'
import { Option, type Command } from 'commander'
import { report, withInstalledApp } from './context.js'
import { jsonOption, nameOption, pageOption, pageSizeOption, tenantId, tenantOption } from './options.js'
import { toList } from './table.js'

interface ListOptions {
  tenant?: string
  keyword?: string
  search?: string
  role?: string
  status?: keyof typeof statuses
  secondFactor?: 'yes' | 'no'
  invited?: true
  neverSignedIn?: true
  page: number
  pageSize: number
  json?: boolean
}

const statuses = { disabled: 0, normal: 1, locked: 2 }
const statusNames = Object.keys(statuses)

export const registerUserList = (user: Command): void => {
  user
    .command('list')
    .description('list users, the newest first')
    .addOption(tenantOption('only users of this tenant'))
    .addOption(nameOption('--keyword <text>', 'only users with this text in the user name or real name'))
    .addOption(
      nameOption(
        '--search <text>',
        'only users with this text in the user name or real name, or with this e-mail address or phone number',
      ),
    )
    .addOption(nameOption('--role <key>', 'only users who have this role'))
    .addOption(new Option('--status <status>', 'only users with this status').choices(statusNames))
    .addOption(
      new Option(
        '--second-factor <yes|no>',
        'only users with an authenticator app or a passkey, or only those without',
      ).choices(['yes', 'no']),
    )
    .option('--invited', 'only users who have been invited and have not come yet')
    .option('--never-signed-in', 'only users who have never signed in')
    .addOption(pageOption())
    .addOption(pageSizeOption())
    .addOption(jsonOption())
    .action(async (options: ListOptions) => {
      const { keyword, search, role, status, secondFactor, invited, neverSignedIn, page, pageSize } = options
      await withInstalledApp(async (app) => {
        const found = await app.userList.pageForOperator({
          tenantId: await tenantId(app, options.tenant),
          keyword,
          search,
          role,
          userStatus: status && statuses[status],
          hasSecondFactor: secondFactor && (secondFactor === 'yes' ? 'true' : 'false'),
          invited: invited && 'true',
          hasSignedIn: neverSignedIn && 'false',
          pageNum: page,
          pageSize,
        })
        const lines = toList(
          ['id', 'tenant', 'user name', 'real name', 'status', 'roles', 'second factor', 'banned until'],
          found.records.map((user) => [
            ...[
              user.id,
              user.tenantName,
              user.username,
              user.realName,
              statusNames[user.userStatus] ?? user.userStatus,
            ],
            ...[user.roleKeys.join(','), user.hasSecondFactor ? 'yes' : 'no', user.bannedUntil ?? ''],
          ]),
        )
        const more = `page ${found.current} of ${found.pages}, ${countOf(found.total, 'user')}`
        report(options, found, lines.length > 0 ? [...lines, more].join('\n') : `No users (${more}).`)
      })
    })
}
