import type { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import type { FirstAdministrator } from '../plugins/people/first-start/index.js'
import { report } from './context.js'
import { jsonOption } from './options.js'

const sentenceOf = (ran: string[]): string =>
  ran.length === 0
    ? 'The database schema is up to date.'
    : `Ran ${ran.join(', ')}.\nThe database now has the schema of Rollcall ${manifest.version}, which earlier versions cannot start with: the way back is a backup from before.`

export const registerService = (program: Command): void => {
  program
    .command('start')
    .description('run the service; the first start creates the data directory')
    .action(async () => (await import('./serve.js')).start(process.env))

  program
    .command('init')
    .description('create the data directory, the database and the first administrator, without starting')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const [{ openInstallation, withApp }, { welcome }] = await Promise.all([
        import('./installation.js'),
        import('./serve.js'),
      ])
      const installation = openInstallation(process.env, { create: true })
      const made: FirstAdministrator[] = []
      await withApp(installation, async () => undefined, {
        answering: false,
        prepare: 'new',
        onFirstStart: (administrator) => made.push(administrator),
      })
      if (options.json) {
        process.stdout.write(
          `${JSON.stringify({ directory: installation.directory, administrator: made[0] ?? null })}\n`,
        )
        return
      }
      for (const administrator of made) process.stdout.write(welcome(installation, administrator))
      if (made.length === 0) process.stdout.write(`Nothing to do: ${installation.directory} is complete.\n`)
    })

  program
    .command('migrate')
    .description('bring the database schema up to date; earlier versions cannot be started with it afterwards')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const [{ openInstallation }, { openDatabase }, { createProgressReport }] = await Promise.all([
        import('./installation.js'),
        import('../db/index.js'),
        import('./long-command.js'),
      ])
      const { directory, settings } = openInstallation(process.env, { create: false })
      const db = await openDatabase(settings.databaseUrl, directory)
      try {
        await db.requireUnmoved()
        const tell = (line: string) =>
          process.stderr.write(`${options.json ? JSON.stringify({ warning: line }) : line}\n`)
        const { progress, stop } = createProgressReport(options)
        const ran = await db.migrate({ report: tell, progress })
        stop()
        report(options, ran, sentenceOf(ran))
      } finally {
        await db.close()
      }
    })
}
