import { Option } from 'commander'
import { interruptible } from '../../cli/interrupt.js'
import { jsonOption, readNumber, requireOption } from '../../cli/options.js'
import { readNewPassword } from '../../cli/password-input.js'
import { createProgress } from '../../cli/progress.js'
import { isOutage } from '../../db/outage.js'
import { countOf } from '../../lib/count-of.js'
import { OperatorError } from '../../lib/operator-error.js'
import type { RegisterCommands } from '../guest.js'

interface GenerateOptions {
  count: number
  seed: string
  tenants: number
  passwordStdin?: boolean
  json?: boolean
}

/** Where numbers have no country of their own. */
const defaultRegion = 'CN'

const remarks = `
The same seed and count add the same users to an empty database; a second run adds other users.
Their times are in the eight years before 2026-01-01, whatever the clock says. Their phone numbers
are valid in the region of the configuration and may belong to real people: send these users no
messages. Without --password-stdin the users have no password. A server may use the database at the
same time. Ctrl-C keeps the users added so far.`

const registerUserGenerate: RegisterCommands = (_program, { commandNamed, report, withInstalledApp }) => {
  requireOption(
    commandNamed('user').command('generate').description('add many realistic users, for tests'),
    new Option('--count <number>', 'how many').argParser(readNumber(10_000_000)),
  )
    .option('--seed <text>', 'seed of the random numbers', 'rollcall')
    .option(
      '--tenants <number>',
      'number of tenants to spread the users over; missing tenants are added',
      readNumber(1000),
      5,
    )
    .addOption(new Option('--password-stdin', 'read one password for all of them from standard input'))
    .addOption(jsonOption())
    .addHelpText('after', remarks)
    .action(async (options: GenerateOptions) => {
      const { count, seed, tenants } = options
      // Loaded only here, because its tables of names take time to build.
      const { generateUsers } = await import('./generate-users.js')
      await withInstalledApp(async (app) => {
        const { contacts, db, installation, passwords } = app
        const check = (text: string) => passwords.check('password', text, [])
        const password = options.passwordStdin ? await readNewPassword(options, check) : undefined
        if (password !== undefined) check(password)
        const passwordHash = password === undefined ? null : await passwords.hash(password)
        const progress = createProgress('Users', options)
        progress.start(count)
        let added = 0
        const interrupted = await interruptible(async (signal) => {
          try {
            await generateUsers(db, {
              count,
              seed,
              tenants,
              passwordHash,
              phoneRegion: installation.settings.phoneRegion ?? defaultRegion,
              readPhone: contacts.readPhone,
              signal,
              onProgress(done) {
                progress.step(done - added)
                added = done
              },
            })
          } catch (error) {
            if (!(error instanceof Error && isOutage(error))) throw error
            throw new OperatorError(`The database failed: ${error.message}. Added ${countOf(added, 'user')}.`, {
              cause: error,
            })
          } finally {
            progress.stop()
          }
        })
        const sentence = `Added ${countOf(added, 'user')}.`
        report(options, { added, interrupted }, interrupted ? `Interrupted. ${sentence}` : sentence)
      })
    })
}

export default registerUserGenerate
