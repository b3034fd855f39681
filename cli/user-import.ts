import { basename } from 'node:path'
import { Option, type Command } from 'commander'
import type { ImportOptions, RefusedRow } from '../plugins/people/write/import.js'
import { operatorActor } from '../lib/actor.js'
import { toViolations } from '../lib/violations.js'
import { importColumns, operatorColumns } from '../schemas/import-columns.js'
import { withInstalledApp } from './context.js'
import { countOf } from '../lib/count-of.js'
import { interruptible } from './interrupt.js'
import { jsonOption, tenantId, tenantOption } from './options.js'
import { createProgress } from './progress.js'

interface CommandOptions {
  tenant?: string
  forceChange: boolean
  atomic?: boolean
  dryRun?: boolean
  invite?: boolean
  json?: boolean
}

const columnsHelp = `
The first line names the columns, in any order, by these names or by their Chinese labels; only username is required:
${[...importColumns, ...operatorColumns].join(', ')}.
\`rollcall user import-template\` prints a file to fill in.
The file is UTF-8; commas, semicolons or tabs separate its cells. Cells that are missing at the end of a line are empty.
Several roles are separated by |; a | or \\ inside a role key follows a \\. tenant is an id or a name. userType (0 system admin, 1 tenant admin, 2 user),
userStatus (0 disabled, 1 normal, 2 locked) and gender (0 unknown, 1 male, 2 female) are numbers, or labels such as Male
or 男. passwordHash is bcrypt or argon2id. forcePasswordChange is true or false, Yes or No; blank means true for users with a
password.
A file of GET /system/user/export can be imported: columns that nobody can set, such as id and createTime, are ignored, and the
apostrophes that protect spreadsheet programs are taken away: one before =, +, -, @ (also full-width), at the beginning of a
cell or after a comma, semicolon, tab, line break or |; and one before a tab or line break at the beginning. The example in the
template is skipped while it is unchanged. ="00123" is read as 00123, and 13800138000.0 as a phone number without the fraction.

totpSecret is the secret of an authenticator app that the user keeps: base32, 16 to 64 characters, or the otpauth: address of its QR
code. Such a user has no recovery codes until it makes some.

With --atomic, all rows are checked before the first user is added. Up to 1,000 users are then added at once. More are added a few at
a time, so that a running service is not blocked; if a name has been taken in the meantime, or at Ctrl-C, they are removed again.`

interface Outcome {
  rows: number
  added: number
  refused: number
  interrupted: boolean
  authenticatorApps?: number
  invited?: number
}

const sentenceOf = (mode: ImportOptions['mode'], outcome: Outcome): string => {
  const { rows, added, refused, interrupted, authenticatorApps = 0, invited } = outcome
  if (interrupted && added === 0) return 'Interrupted; nobody was added.'
  if (mode === 'dryRun') return `Would add ${countOf(rows - refused, 'user')} and refuse ${countOf(refused, 'row')}.`
  if (mode === 'atomic' && refused > 0) return `Refused ${countOf(refused, 'row')}; nobody was added.`
  const invitations = invited === undefined ? '' : ` Invited ${countOf(invited, 'user')}.`
  const done = `${interrupted ? 'Interrupted. ' : ''}Added ${countOf(added, 'user')}, refused ${countOf(refused, 'row')}.${invitations}`
  if (authenticatorApps === 0) return done
  return `${done}\n${countOf(authenticatorApps, 'user')} with an authenticator app: without recovery codes until they make some.`
}

/** Prints refused rows as they come; with `--json` as parts of one value, which is never in memory as a whole. */
const createOutput = ({ json = false }: CommandOptions) => {
  const progress = createProgress('Importing', { json })
  let printed = 0
  const begin = () => (printed === 0 ? '{"refusals":[' : '')
  return {
    onStart: progress.start,
    onProgress: progress.step,
    onRefused: ({ line, faults }: RefusedRow) => {
      const violations = toViolations(faults, 'en')
      if (json) {
        process.stdout.write(`${begin() || ','}${JSON.stringify({ line, violations })}`)
        printed++
      } else progress.line(`line ${line}: ${violations.map(({ field, message }) => `${field} ${message}`).join('; ')}`)
    },
    stop: progress.stop,
    /** Ends a value that has been begun. The reason of the failure is printed on standard error. */
    abandon: () => {
      if (json && printed > 0) process.stdout.write('],"failed":true}\n')
    },
    end: (result: object, sentence: string) =>
      process.stdout.write(json ? `${begin()}],${JSON.stringify(result).slice(1)}\n` : `${sentence}\n`),
  }
}

export const registerUserImport = (user: Command): void => {
  user
    .command('import')
    .description('add the users of a CSV file; rows that are refused are listed by line')
    .argument('<file>', '`-` for standard input')
    .addOption(tenantOption())
    .option('--no-force-change', 'do not require users with a password in the file to change it at the first sign-in')
    .option('--atomic', 'add all rows, or none if a row is refused')
    .addOption(new Option('--dry-run', 'only check the rows').conflicts('atomic'))
    .option('--invite', 'send an invitation to each added user who has no password, but an address that it reaches')
    .addOption(jsonOption())
    .addHelpText('after', columnsHelp)
    .action(async (file: string, options: CommandOptions) => {
      const isPiped = file === '-'
      const piped = { name: 'standard input', stream: process.stdin }
      await withInstalledApp(async (app) => {
        // A wrong tenant is reported once, not for every row.
        const tenant = await tenantId(app, options.tenant)
        const mode = options.dryRun ? 'dryRun' : options.atomic ? 'atomic' : 'each'
        const { forceChange: forcePasswordChange } = options
        const output = createOutput(options)
        await interruptible(async (signal) => {
          const fileName = isPiped ? piped.name : basename(file)
          const settings = { fileName, tenantId: tenant, forcePasswordChange, mode, signal } as const
          const { outcome: result, addedIds } = await app.management
            .importUsers(operatorActor(), isPiped ? piped : file, settings, output)
            .catch((error: unknown) => {
              output.abandon()
              throw error
            })
            .finally(output.stop)
          const invite = async () =>
            app.management.inviteAll(operatorActor(), await app.management.invitable(addedIds), signal)
          const invitations = options.invite && result.added > 0 ? { invited: await invite() } : {}
          const outcome = { ...result, ...invitations }
          output.end({ mode, ...outcome }, sentenceOf(mode, outcome))
          if (result.refused > 0 && !result.interrupted) process.exitCode = 1
        })
      })
    })
}
