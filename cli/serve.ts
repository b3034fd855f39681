import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import manifest from '../package.json' with { type: 'json' }
import rollcall, { openInstallation, serverOptions, type Installation } from '../app.js'
import { fail, OperatorError } from '../lib/operator-error.js'
import type { FirstAdministrator } from '../plugins/first-start/index.js'

/** Requests in flight have this long to finish after SIGTERM. Milliseconds. */
const closeDelay = 10_000

/** Shows the first administrator how to sign in. */
export const announce = (installation: Installation, { username, password }: FirstAdministrator) => {
  process.stdout.write(`\nFirst start: configuration and data are in ${installation.directory}\n`)
  process.stdout.write(
    password === undefined
      ? `Sign in as ${username} with the password of ROLLCALL_ADMIN_PASSWORD.\n\n`
      : `Sign in as ${username} with the password\n\n    ${password}\n\nIt is shown only once and must be changed at the first sign-in.\n\n`,
  )
}

/** Why the service cannot listen on an address, and which setting to change. */
const listenFaults: Record<string, string> = {
  EADDRINUSE: 'another program listens there already; stop it, or set another PORT',
  EACCES: 'this user may not use the port; set a PORT above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; set another HOST',
  ENOTFOUND: 'the host name is unknown; set another HOST',
  EAI_AGAIN: 'the host name is unknown; set another HOST',
}

const toListenError = (error: unknown, host: string, port: number): unknown => {
  const { code = '' } = error as { code?: string }
  const fault = listenFaults[code]
  if (fault === undefined) return error
  return new OperatorError(`Rollcall cannot listen on ${host}:${port} (${code}): ${fault}.`, { cause: error })
}

/**
 * Runs the service until SIGTERM or SIGINT. Then it accepts no new connections, finishes open requests and exits with code 0.
 * If its database fails it ends in the same way, with exit code 1.
 */
export const start = async (variables: NodeJS.ProcessEnv): Promise<void> => {
  const installation = openInstallation(variables, { create: true })
  const { host, port } = installation.settings
  const app = Fastify(serverOptions(installation.settings))
  let fault: Error | undefined
  let close = (): void => undefined
  await app.register(rollcall, {
    installation,
    onFirstStart: (administrator) => announce(installation, administrator),
    onFatal: (error) => {
      fault = error
      close()
    },
  })
  const address = await app.listen({ host, port }).catch(async (error: unknown) => {
    await app.close()
    throw toListenError(error, host, port)
  })
  const grace = closeWithGrace({ delay: closeDelay, logger: false }, async ({ err }) => {
    if (err) app.log.fatal({ err }, 'closing after an uncaught error')
    await app.close()
    // Makes the exit code 1.
    if (fault) throw fault
  })
  close = grace.close
  if (fault) close()
  app.log.info({ rollcall: manifest.version, node: process.versions.node }, 'ready')
  process.stdout.write(`Rollcall is ready: ${address}/docs\n`)
}

/** The same for a whole process: a start that fails prints why on standard error and sets the exit code. */
export const serve = (variables: NodeJS.ProcessEnv): Promise<void> => start(variables).catch(fail)
