// Runs commands one after the other, each as if it had the process to itself. `command.ts` starts it and sends the
// commands; its argument is the module whose `run` they are for.
import { constants } from 'node:os'
import { PassThrough } from 'node:stream'

export interface Order {
  args: string[]
  /** Every variable there is. */
  environment: Record<string, string>
  /** All of standard input. */
  input: string
  /** What somebody at a terminal types, and what is shown before; absent means that there is no terminal. */
  typed?: [shown: string, keys: string][] | undefined
  /** Written to both outputs when the command has ended: what comes later is not of this command. */
  boundary: string
}

export interface Answer {
  code: number
}

const [, , module = ''] = process.argv
const { run } = (await import(module)) as { run: (argv: string[]) => Promise<void> }
const directory = process.cwd()
let boundary: string | undefined

const write = process.stderr.write.bind(process.stderr)

/** Makes standard input and both outputs those of a terminal at which somebody types. */
const sitDown = (typed: [shown: string, keys: string][]): PassThrough => {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const waiting = [...typed]
  for (const output of [process.stdout, process.stderr])
    Object.defineProperty(output, 'isTTY', { value: true, configurable: true })
  process.stderr.write = (text: string, ...more: []) => {
    const [next] = waiting
    if (next && text.includes(next[0])) {
      waiting.shift()
      // The prompt listens when it has been shown.
      setImmediate(() => keyboard.write(next[1]))
    }
    return write(text, ...more)
  }
  return keyboard
}

/** Takes away what the last command may have left behind. */
const reset = ({ environment, input, typed }: Order): void => {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, environment)
  for (const signal of Object.keys(constants.signals)) process.removeAllListeners(signal)
  process.chdir(directory)
  process.exitCode = undefined
  process.stderr.write = write
  for (const output of [process.stdout, process.stderr]) Reflect.deleteProperty(output, 'isTTY')
  const stdin = typed ? sitDown(typed) : new PassThrough().end(input)
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
}

process.on('message', (order: Order) => {
  reset(order)
  boundary = order.boundary
  // From here on only the command keeps the process: a process of its own would end when there is nothing left to do,
  // and so does the command. One that leaves a file, a thread or a timer open hangs here as it would there.
  process.channel?.unref()
  // A terminal that is listened to keeps it, too; one that is none does not.
  const terminal = order.typed && setInterval(() => undefined, 1000)
  void run([process.execPath, 'rollcall', ...order.args]).finally(() => clearInterval(terminal))
})

process.on('beforeExit', (code) => {
  if (boundary === undefined) return
  process.stdout.write(boundary)
  process.stderr.write(boundary)
  boundary = undefined
  process.channel?.ref()
  process.send?.({ code } satisfies Answer)
})

process.on('disconnect', () => process.exit())
