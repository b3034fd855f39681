import { fstatSync, writeFile } from 'node:fs'
import { toOneLine } from '../lib/one-line.js'

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** Or of no use at a terminal. */
const shownElsewhere = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname'])

interface LogLine {
  level: number
  time: number
  msg?: string
  err?: { stack?: string }
}

const timeOf = (time: number): string => new Date(time).toLocaleTimeString('en-GB')

/** A log line for people at a terminal: time, level, message, and the other values behind it. The stack of an error has its own lines. */
const toReadable = (line: string): string => {
  // eslint-disable-next-line no-restricted-syntax -- the logger has written it
  const values = JSON.parse(line) as LogLine
  const { level, time, msg = '', err } = values
  const others = Object.entries(values).filter(([name]) => !shownElsewhere.has(name))
  const text = toOneLine([msg, ...others.map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' '))
  const stack = err?.stack === undefined ? '' : `${err.stack}\n`
  return `${timeOf(time)} ${(levels[level] ?? String(level)).padEnd(5)} ${text}\n${stack}`
}

/** Characters that wait at most behind those that are being written, which are as many at most. Further lines are lost. */
const maxWaiting = 2 ** 20

export interface LogOutput {
  write: (line: string) => void
  /** Resolves when everything is written or lost, or after `limit` milliseconds. */
  end: (limit: number) => Promise<void>
  /** Calls `tell` when lines are written again after some were lost, with their number and why the last one was. */
  onRecovery: (tell: (lost: number, code: string) => void) => void
}

type Write = (text: string, done: (error?: Error | null) => void) => void

const standardOutput = 1

/** Node.js writes to pipes without waiting, but to files only when the disk is ready: this one does not wait for it either. */
const writeOut = (): Write =>
  fstatSync(standardOutput).isFile()
    ? (text, done) => writeFile(standardOutput, text, done)
    : (text, done) => process.stdout.write(text, done)

const countLines = (text: string): number => text.split('\n').filter((line) => line !== '').length

/**
 * Standard output as the place for log lines, which are for people where it is a terminal. Lines that cannot be written are lost, and nobody waits for them: a full disk, a closed
 * terminal or a reader that stands still stop neither requests nor the end of the process.
 */
export const createLogOutput = (write = writeOut()): LogOutput => {
  let waiting = ''
  let isWriting = false
  let lost = 0
  let reason = ''
  let tellRecovery: (lost: number, code: string) => void = () => undefined
  let onIdle = (): void => undefined

  const lose = (text: string, code: string): void => {
    lost += countLines(text)
    reason = code
  }

  const recover = (): void => {
    const count = lost
    lost = 0
    if (count > 0) tellRecovery(count, reason)
  }

  const writeNext = (): void => {
    isWriting = waiting !== ''
    if (!isWriting) {
      onIdle()
      return
    }
    // A disk that became full may have taken the first half of a line.
    const text = lost > 0 ? `\n${waiting}` : waiting
    waiting = ''
    write(text, (error) => {
      if (error) lose(text, (error as NodeJS.ErrnoException).code ?? error.message)
      else recover()
      writeNext()
    })
  }

  return {
    write(raw) {
      const line = process.stdout.isTTY ? toReadable(raw) : raw
      if (waiting.length + line.length > maxWaiting) {
        lose(line, 'EAGAIN')
        return
      }
      waiting += line
      if (!isWriting) writeNext()
    },
    end: (limit) =>
      new Promise((resolve) => {
        if (!isWriting) {
          resolve()
          return
        }
        onIdle = resolve
        setTimeout(resolve, limit)
      }),
    onRecovery: (tell) => void (tellRecovery = tell),
  }
}
