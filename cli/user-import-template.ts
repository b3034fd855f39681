import { Option, type Command } from 'commander'
import type { Language } from '../schemas/problems.js'
import { withInstalledApp } from './context.js'

const languages = ['en', 'zh'] satisfies Language[]

export const registerUserImportTemplate = (user: Command): void => {
  user
    .command('import-template')
    .description('print a CSV file to fill in for an import of users')
    .addOption(new Option('--language <language>', 'of the column names and labels').choices(languages).default('en'))
    .addHelpText(
      'after',
      `
It has one row as an example, which an import skips while it is unchanged:

  rollcall user import-template > people.csv
  rollcall user import people.csv --dry-run`,
    )
    .action(async ({ language }: { language: Language }) => {
      await withInstalledApp(async (app) => {
        const { content } = await app.userFiles.importTemplate(language, 'csv')
        process.stdout.write(content)
      })
    })
}
