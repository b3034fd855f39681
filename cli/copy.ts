import { Option, type Command } from 'commander'
import type { Copied } from '../db/copy/copy-database.js'
import { report } from './context.js'
import { countOf } from '../lib/count-of.js'
import { runLong } from './long-command.js'
import { jsonOption, requireSecretOption, secretOption } from './options.js'
import { usage } from './prompt.js'

interface CopyOptions {
  from?: string
  to: string
  store?: boolean
  keep?: boolean
  json?: boolean
}

const help = `
URLs are sqlite:PATH, where a relative path starts in the data directory, or postgres://USER@HOST:PORT/NAME. A URL with a
password belongs in ROLLCALL_COPY_FROM or ROLLCALL_COPY_TO, or in a file that ROLLCALL_COPY_FROM_FILE or
ROLLCALL_COPY_TO_FILE names: arguments can be seen by every process of the machine.

The target must be empty; it gets all tables. All rows are copied in one transaction and compared with the source, or none
are. Stop the service first: what it writes meanwhile is not copied. Ids of deleted users are not used again.

Afterwards the source is marked as moved, and the service and commands refuse it, so that nobody goes on with it by mistake;
\`rollcall reopen\` removes the mark. With --keep it stays in use, also during the copy: for a copy to try something with.`

const hasPassword = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { password, searchParams } = new URL(url)
  return password !== '' || searchParams.has('password')
}

const checkUrls = async (command: Command): Promise<void> => {
  const { databaseUrlFault, hasEngine } = await import('../db/engines.js')
  for (const [name, variable] of Object.entries({ from: 'ROLLCALL_COPY_FROM', to: 'ROLLCALL_COPY_TO' })) {
    const url = command.getOptionValue(name) as string | undefined
    if (url === undefined) continue
    if (!hasEngine(url)) throw usage(`--${name} must be sqlite:PATH or postgres://USER@HOST:PORT/NAME`)
    const isArgument = command.getOptionValueSource(name) === 'cli'
    const fault = databaseUrlFault(url)
    if (fault !== undefined) throw usage(`${isArgument ? `--${name}` : variable} ${fault}`)
    if (!isArgument || !hasPassword(url)) continue
    throw usage(
      `the URL of --${name} has a password, which every process of the machine can see. Set ${variable} to the URL instead`,
    )
  }
}

const sentenceOf = ({ from, to, rows, moved }: Copied): string => {
  const { users = 0, ...others } = rows
  const rest = Object.values(others).reduce((sum, number) => sum + number, 0)
  const copied = `Copied ${countOf(users, 'user')} and ${countOf(rest, 'other row')} from ${from} to ${to}, and compared them.`
  if (!moved) return `${copied}\nThe source stays in use.`
  return (
    `${copied}\nNow set DATABASE_URL, or databaseUrl in config.json, to the new database, and start the service with the same master\n` +
    'secret. The old database is marked as moved, and is refused from now on; `rollcall reopen` would let it be used again.'
  )
}

/** Resolves to undefined when it was interrupted. */
const copy = async (options: CopyOptions): Promise<Copied | undefined> => {
  const [{ openInstallation }, { copyDatabase }] = await Promise.all([
    import('./installation.js'),
    import('../db/copy/copy-database.js'),
  ])
  const { directory, settings } = openInstallation(process.env, { create: false })
  const { from = settings.databaseUrl, to, store: hasStore = false, keep: keepsSource = false } = options
  return runLong(options, 'Nothing has been copied.', (task) =>
    copyDatabase({ from, to, directory, hasStore, keepsSource, ...task }),
  )
}

export const registerCopy = (program: Command): void => {
  const command = program
    .command('copy')
    .description('copy all data to an empty database, also of another kind, and compare both; stop the service first')
  const from = new Option('--from <url>', 'the database to copy; absent means that of the service')
  secretOption(command, from, 'ROLLCALL_COPY_FROM')
  requireSecretOption(command, new Option('--to <url>', 'the empty database'), 'ROLLCALL_COPY_TO')
  command
    .option('--store', 'copy captchas, codes, lockouts and counters, too')
    .option('--keep', 'keep using the source, also during the copy: do not mark it as moved')
    .addOption(jsonOption())
    .addHelpText('after', help)
    .action(async (options: CopyOptions) => {
      await checkUrls(command)
      const copied = await copy(options)
      if (copied) report(options, copied, sentenceOf(copied))
    })
}
