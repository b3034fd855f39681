import { text } from 'node:stream/consumers'

/** What a command finds when it begins. */
const look = async (): Promise<void> => {
  const found = {
    environment: process.env,
    directory: process.cwd(),
    exitCode: process.exitCode ?? 0,
    listeners: process.listenerCount('SIGTERM'),
    isTerminal: process.stdin.isTTY,
    input: await text(process.stdin),
  }
  process.stdout.write(JSON.stringify(found))
}

/** Commands as bad as can be, for tests of the process that commands share. */
const commands: Record<string, () => void | Promise<void>> = {
  look,
  litter() {
    process.env['LITTER'] = 'left behind'
    delete process.env['PATH']
    process.chdir('/')
    process.exitCode = 7
    process.on('SIGTERM', () => undefined)
    process.stderr.write('littered')
  },
  linger: () => void setTimeout(() => process.stdout.write('at last'), 20),
  crash() {
    setImmediate(() => {
      throw new Error('a fault that nobody caught')
    })
  },
  exit: () => process.exit(3),
  hang: () => void setInterval(() => undefined, 1000),
}

export const run = async ([, , name = '']: string[]): Promise<void> => commands[name]?.()
