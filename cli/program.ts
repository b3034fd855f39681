import { Command } from 'commander'
import type { CommandTools } from '../guests/guest.js'
import { guests } from '../guests/index.js'
import { OperatorError } from '../lib/operator-error.js'
import manifest from '../package.json' with { type: 'json' }
import { registerAudit } from './audit.js'
import { registerBackup } from './backup.js'
import { registerCompletion } from './completion.js'
import { report, withInstalledApp } from './context.js'
import { registerCopy } from './copy.js'
import { registerDoctor } from './doctor.js'
import { createFailureReport } from './failure.js'
import { registerIdentity } from './identity.js'
import { registerKeys } from './keys.js'
import { registerLog } from './log.js'
import { registerOpenapi } from './openapi.js'
import { refuseOtherNames } from './other-names.js'
import { guardOutputs } from './outputs.js'
import { registerReopen } from './reopen.js'
import { registerRole } from './role.js'
import { registerService } from './service.js'
import { registerSession } from './session.js'
import { registerTenant } from './tenant.js'
import { registerUser } from './user.js'

const createProgram = async (isJson: boolean): Promise<Command> => {
  const program = new Command('rollcall')
    .description('A small, fast, self-hosted authentication service.')
    .version(manifest.version)
    .showHelpAfterError('(--help lists commands and options)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput(isJson ? { writeErr: () => undefined } : {})
    .addHelpText(
      'after',
      '\nThe data directory is DATA_DIR (default ./data). Exit codes: 0 done, 1 refused, 2 wrong command line.',
    )

  for (const register of [
    registerService,
    registerBackup,
    registerCopy,
    registerReopen,
    registerDoctor,
    registerUser,
    registerTenant,
    registerRole,
    registerSession,
    registerIdentity,
    registerLog,
    registerAudit,
    registerKeys,
    registerOpenapi,
    registerCompletion,
  ]) {
    register(program)
  }
  const commandNamed = (name: string): Command => {
    const found = program.commands.find((command) => command.name() === name)
    if (!found) throw new Error(`There is no command ${name}`)
    return found
  }
  for (const { name, isOn, commands } of guests) {
    if (!commands) continue
    const whereItIsOn: CommandTools['withInstalledApp'] = (work) =>
      withInstalledApp(async (app) => {
        // Its decorators are not there.
        if (!isOn(app.installation.settings))
          throw new OperatorError(`The configuration has ${name} switched off: look at config.json.`)
        return work(app)
      })
    const { default: register } = await commands()
    register(program, { withInstalledApp: whereItIsOn, report, commandNamed })
  }
  refuseOtherNames(program)
  return program
}

/** Whether faults are JSON, too. After `--` there are no options. */
const isJson = (argv: string[]): boolean =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json')

/** Runs the command line `argv`, which begins like `process.argv`; sets `process.exitCode`. */
export const run = async (argv: string[]): Promise<void> => {
  let command: Command | undefined
  const program = await createProgram(isJson(argv))
  program.hook('preAction', (_program, chosen) => {
    command = chosen
  })
  await program.parseAsync(argv).catch(createFailureReport(isJson(argv), () => command))
}

/** The same for a whole process. */
export const runProcess = (argv: string[]): Promise<void> => {
  guardOutputs(createFailureReport(isJson(argv), () => undefined))
  return run(argv)
}
