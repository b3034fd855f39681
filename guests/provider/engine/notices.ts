import type { FastifyBaseLogger } from 'fastify'

/**
 * The library writes its notices by `console` and has no other way: until the function that is returned is called, they become lines of the
 * log.
 */
export const divertConsole = (log: Pick<FastifyBaseLogger, 'info' | 'warn'>): (() => void) => {
  const { info, warn } = console
  Object.assign(console, { info: (text: string) => log.info(text), warn: (text: string) => log.warn(text) })
  return () => void Object.assign(console, { info, warn })
}
