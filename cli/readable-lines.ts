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
export const toReadable = (line: string): string => {
  // eslint-disable-next-line no-restricted-syntax -- the logger has written it
  const values = JSON.parse(line) as LogLine
  const { level, time, msg = '', err } = values
  const others = Object.entries(values).filter(([name]) => !shownElsewhere.has(name))
  const text = toOneLine([msg, ...others.map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' '))
  const stack = err?.stack === undefined ? '' : `${err.stack}\n`
  return `${timeOf(time)} ${(levels[level] ?? String(level)).padEnd(5)} ${text}\n${stack}`
}
