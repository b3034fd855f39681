import type { Command } from 'commander'
import { report } from './context.js'
import { jsonOption } from './options.js'

/** Removes the mark of `rollcall copy`; resolves to where the data had been moved. */
const reopen = async () => {
  const [{ openInstallation }, { openDatabase, refuseMissing }] = await Promise.all([
    import('./installation.js'),
    import('../db/index.js'),
  ])
  const { directory, settings } = openInstallation(process.env, { create: false })
  refuseMissing(settings.databaseUrl, directory)
  const db = await openDatabase(settings.databaseUrl, directory)
  try {
    await db.requireSchema()
    return { database: db.shown, movedTo: (await db.reopen()) ?? null }
  } finally {
    await db.close()
  }
}

export const registerReopen = (program: Command): void => {
  program
    .command('reopen')
    .description('use a database again from which rollcall copy has moved the data')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const done = await reopen()
      const { database, movedTo } = done
      const sentence =
        movedTo === null
          ? `Nothing to do: ${database} is not marked as moved.`
          : `${database} can be used again. What was written to ${movedTo} since the copy is not in it.`
      report(options, done, sentence)
    })
}
