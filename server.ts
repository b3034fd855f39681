import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import rollcall, { openInstallation, serverOptions, type Installation } from './app.js'
import { StartError } from './plugins/errors/start-error.js'
import type { FirstAdministrator } from './plugins/first-start/index.js'

/** Requests in flight have this long to finish after SIGTERM. Milliseconds. */
const closeDelay = 10_000

/** Shows the first administrator how to sign in. */
export const announce = (installation: Installation, { username, password }: FirstAdministrator) => {
  process.stdout.write(`\nFirst start: configuration and data are in ${installation.directory}\n`)
  process.stdout.write(
    password === undefined
      ? `Sign in as ${username} with the password of ROLLCALL_ADMIN_PASSWORD.\n\n`
      : `Sign in as ${username} with the password\n\n    ${password}\n\nIt is shown this once and has to be changed at the first sign-in.\n\n`,
  )
}

/** Runs the service until SIGTERM or SIGINT: then no new connections, what is in flight is finished, exit code 0. */
export const start = async (variables: NodeJS.ProcessEnv): Promise<void> => {
  const installation = openInstallation(variables, { create: true })
  const { host, port } = installation.settings
  const app = Fastify(serverOptions(installation.settings))
  await app.register(rollcall, {
    installation,
    onFirstStart: (administrator) => announce(installation, administrator),
  })
  closeWithGrace({ delay: closeDelay, logger: false }, async ({ err }) => {
    if (err) app.log.fatal({ err }, 'closing after an error that nobody caught')
    await app.close()
  })
  const address = await app.listen({ host, port })
  process.stdout.write(`Rollcall is ready: ${address}/docs\n`)
}

/** Ends the process with a message that a person can act on. */
export const fail = (error: unknown): void => {
  const isExpected = error instanceof StartError || (error as { code?: string }).code === 'EADDRINUSE'
  process.stderr.write(`${isExpected ? (error as Error).message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}

if (process.argv[1] === import.meta.filename) await start(process.env).catch(fail)
