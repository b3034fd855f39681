import Fastify from 'fastify'
import manifest from '../package.json' with { type: 'json' }
import rollcall, { openInstallation, serverOptions, type Installation } from '../app.js'
import { machineClock } from '../lib/clock.js'
import { isLoopback } from '../lib/loopback.js'
import { fail, OperatorError } from '../lib/operator-error.js'
import { publicUrlOf } from '../lib/public-url.js'
import type { FirstAdministrator } from '../plugins/people/first-start/index.js'
import { createLogOutput } from './log-output.js'
import { guardOutputs } from './outputs.js'

const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2', 'SIGTERM'] as const

/**
 * Ends the process after `close` when a signal comes, with exit code 0, and with 1 after an uncaught error or when `close` fails. Ends it at
 * once, with 1, after a second signal or error, and when `close` takes longer than `delay` milliseconds. Returns what begins it.
 */
const endGracefully = (delay: number, close: (error?: unknown) => Promise<void>): (() => void) => {
  let isEnding = false
  const end = async (error?: unknown): Promise<void> => {
    isEnding = true
    setTimeout(() => process.exit(1), delay)
    try {
      await close(error)
      process.exit(error === undefined ? 0 : 1)
    } catch {
      process.exit(1)
    }
  }
  const begin = (error?: unknown) => (isEnding ? process.exit(1) : void end(error))
  for (const signal of signals) process.on(signal, () => begin())
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => begin(error ?? event))
  process.once('beforeExit', () => begin())
  return () => {
    if (!isEnding) void end()
  }
}

/** After SIGTERM the service ends within this time, whatever still runs. Milliseconds. */
const closeDelay = 10_000
/** Of that, the last log lines may take so long. Milliseconds. */
const logDelay = 1000

/**
 * Where people sign in; undefined where only the operator knows it. Browsers have no passkeys for IP addresses, so that a loopback
 * address is called `localhost`.
 */
const signInPage = ({ settings }: Installation): string | undefined => {
  const { host, port, pages } = settings
  if (!pages.signIn) return undefined
  const publicUrl = publicUrlOf(settings)
  if (publicUrl !== undefined) return `${publicUrl}/sign-in`
  return isLoopback(host) && port !== 0 ? `http://localhost:${port}/sign-in` : undefined
}

const howToSignIn = (username: string, password: string | undefined): string =>
  password === undefined
    ? `Sign in as ${username} with the password of ROLLCALL_ADMIN_PASSWORD.\n\n`
    : `Sign in as ${username} with the password\n\n    ${password}\n\nIt is shown only once and must be changed at the first sign-in.\n\n`

/** How the first administrator signs in; the password is in no other place. */
export const welcome = (installation: Installation, { username, password }: FirstAdministrator): string => {
  const page = signInPage(installation)
  return (
    `\nFirst start: configuration and data are in ${installation.directory}\n` +
    (page === undefined ? '' : `The sign-in page is ${page}\n`) +
    howToSignIn(username, password)
  )
}

/** Where standard output cannot be written, the password must not be lost. */
const writeOut = (text: string): void => {
  process.stdout.write(text, (error) => {
    if (error) process.stderr.write(text)
  })
}

/** Without a terminal every line is JSON, whatever is logged otherwise. */
const toLine = (msg: string, values: object = {}): string =>
  `${JSON.stringify({ level: 30, time: Date.now(), msg, ...values })}\n`

const announce = (installation: Installation, administrator: FirstAdministrator): void => {
  if (process.stdout.isTTY) {
    writeOut(welcome(installation, administrator))
    return
  }
  const { username, password } = administrator
  const how =
    password === undefined
      ? 'that of ROLLCALL_ADMIN_PASSWORD'
      : 'in this line only, and must be changed at the first sign-in'
  const page = signInPage(installation)
  const where = page === undefined ? '' : ` The sign-in page is ${page}.`
  const text = `First start: configuration and data are in ${installation.directory}.${where} The password of ${username} is ${how}.`
  writeOut(toLine(text, { username, password }))
}

/** Where the service is, for those who wait for it. */
const tellReady = (address: string): void => {
  const text = `Rollcall is ready: ${address}/docs`
  process.stdout.write(process.stdout.isTTY ? `${text}\n` : toLine(text))
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
  const output = createLogOutput()
  const app = Fastify(serverOptions(installation.settings, machineClock, output))
  output.onRecovery((lost, code) => app.log.warn({ lost, code }, 'log lines could not be written and are lost'))
  let fault: Error | undefined
  let close = (): void => undefined
  const service = app.register(rollcall, {
    installation,
    pages: true,
    onFirstStart: (administrator) => announce(installation, administrator),
    onFatal: (error) => {
      fault = error
      close()
    },
  })
  try {
    await service
  } catch (error) {
    // Otherwise an open connection to Redis keeps the process alive, and no supervisor starts it again.
    await app.close()
    throw error
  }
  const address = await app.listen({ host, port }).catch(async (error: unknown) => {
    await app.close()
    throw toListenError(error, host, port)
  })
  close = endGracefully(closeDelay, async (err) => {
    if (err !== undefined) app.log.fatal({ err }, 'closing after an uncaught error')
    await app.close()
    app.log.info('stopped')
    await output.end(logDelay)
    // Makes the exit code 1.
    if (fault) throw fault
  })
  if (fault) close()
  app.log.info({ rollcall: manifest.version, node: process.versions.node }, 'ready')
  tellReady(address)
}

/** The same for a whole process: a start that fails prints why on standard error and sets the exit code. */
export const serve = (variables: NodeJS.ProcessEnv): Promise<void> => {
  guardOutputs(fail)
  return start(variables).catch(fail)
}
