import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { fail } from '../plugins/errors/operator-error.js'
import { isProblem } from '../plugins/errors/problem.js'
import { toViolations } from '../plugins/errors/violations.js'
import { registerClock } from './clock.js'
import { registerLog } from './log.js'
import { registerOpenapi } from './openapi.js'
import { registerRole } from './role.js'
import { registerService } from './service.js'
import { registerSession } from './session.js'
import { registerTenant } from './tenant.js'
import { registerUser } from './user.js'

const createProgram = (): Command => {
  const program = new Command('rollcall')
    .description('A small, fast, self-hosted authentication service.')
    .version(manifest.version)
    .showHelpAfterError('(--help shows what there is)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .addHelpText(
      'after',
      '\nThe data directory is DATA_DIR (default ./data). Exit codes: 0 done, 1 refused, 2 wrong command line.',
    )

  for (const register of [
    registerService,
    registerUser,
    registerTenant,
    registerRole,
    registerSession,
    registerLog,
    registerClock,
    registerOpenapi,
  ]) {
    register(program)
  }
  return program
}

const reportFailure = (error: unknown): void => {
  if (error instanceof CommanderError) {
    // Commander has printed its own message already; ours it has not.
    if (error.code === 'rollcall.usage') process.stderr.write(`${error.message}\n`)
    process.exitCode = error.exitCode === 0 ? 0 : 2
    return
  }
  if (isProblem(error)) {
    const violations = toViolations(error.details.faults ?? [], 'en')
    const lines = violations.map(({ field, message }) => `error: ${field} ${message}`)
    process.stderr.write(`${lines.length > 0 ? lines.join('\n') : `error: ${error.message}`}\n`)
    process.exitCode = 1
    return
  }
  fail(error)
}

// Whoever reads only the beginning, as `head` does, has had enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** Runs the command line `argv`, which begins like `process.argv`; sets `process.exitCode`. */
export const run = async (argv: string[]): Promise<void> => {
  await createProgram().parseAsync(argv).catch(reportFailure)
}
