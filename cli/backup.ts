import { countOf } from '../lib/count-of.js'
import type { Command } from 'commander'
import type { BackupOptions } from '../db/backup.js'
import type { Installation } from '../app.js'
import { report } from './context.js'
import { runLong } from './long-command.js'
import { jsonOption } from './options.js'

interface FileOptions {
  force?: boolean
  json?: boolean
}

type Tools = Awaited<ReturnType<typeof loadTools>>

const loadTools = async () => {
  const [{ openInstallation }, { openBackup }] = await Promise.all([
    import('./installation.js'),
    import('../db/engines.js'),
  ])
  const installation = openInstallation(process.env, { create: false })
  return { installation, ...(await openBackup(installation.settings.databaseUrl)) }
}

const runFileTask = async <T>(
  options: FileOptions,
  work: (tools: Tools, backupOptions: BackupOptions) => Promise<T>,
): Promise<T | undefined> => {
  const tools = await loadTools()
  return runLong(options, 'Nothing has been changed.', (task) =>
    work(tools, { force: options.force ?? false, ...task }),
  )
}

const sizeOf = ({ users, bytes }: { users: number; bytes: number }) =>
  `${countOf(users, 'user')}, ${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`

/** Throws unless the master secret of the installation opens what is encrypted in the copy of a backup at `url`. */
const checkBackup = async ({ directory, secret }: Installation, url: string): Promise<void> => {
  const [{ openDatabase }, { createEncryption }, { checkSigningKeys }] = await Promise.all([
    import('../db/index.js'),
    import('../plugins/run/encryption/encryption.js'),
    import('../plugins/sessions/tokens/signing-keys.js'),
  ])
  const db = await openDatabase(url, directory)
  try {
    await checkSigningKeys(db.signingKeys, createEncryption(secret))
    // The backup of a running service says that a server uses it.
    await db.forgetServers()
  } finally {
    await db.close()
  }
}

/** Tells the service that there is a backup, unless it is of another version. The backup is good also when this fails. */
const markBackup = async ({ directory, settings }: Installation): Promise<void> => {
  const { openDatabase } = await import('../db/index.js')
  try {
    const db = await openDatabase(settings.databaseUrl, directory)
    try {
      if ((await db.schemaState()).kind === 'current') await db.markBackup(Date.now())
    } finally {
      await db.close()
    }
  } catch (error) {
    process.stderr.write(`The service does not know of this backup: ${(error as Error).message}\n`)
  }
}

export const registerBackup = (program: Command): void => {
  program
    .command('backup')
    .description('copy the database to a file, also while the service runs, and check the copy')
    .argument('<file>')
    .option('--force', 'replace the file if it exists')
    .addOption(jsonOption())
    .action(async (file: string, options: FileOptions) => {
      const done = await runFileTask(options, async ({ installation, backup, address }, backupOptions) => {
        const contents = await backup.backUp(address, installation.directory, file, backupOptions)
        await markBackup(installation)
        return { ...contents, secret: installation.secretSource }
      })
      if (!done) return
      const { secret, ...contents } = done
      report(
        options,
        { file, ...contents },
        `Copied the database to ${file} (${sizeOf(contents)}) and checked the copy.\n` +
          `It cannot be used without the master secret (${secret}): keep a copy of that, too, in another place.`,
      )
    })

  program
    .command('restore')
    .description('replace the database by a backup, which is checked first; the service must be stopped')
    .argument('<file>')
    .option('--force', 'also when the database in place is damaged, so that nobody can tell whether a process uses it')
    .addOption(jsonOption())
    .action(async (file: string, options: FileOptions) => {
      const done = await runFileTask(options, ({ installation, backup, address }, backupOptions) =>
        backup.restore(address, installation.directory, file, {
          ...backupOptions,
          check: (url) => checkBackup(installation, url),
        }),
      )
      if (!done) return
      const before = done.previous === null ? '' : `\nThe database from before is now ${done.previous}.`
      report(options, { file, ...done }, `Restored the database from ${file} (${sizeOf(done)}).${before}`)
    })
}
