import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** JSON escapes line breaks, but not those that only Unicode knows. */
const toLine = (value: unknown) =>
  `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (mark) => (mark === '\u2028' ? '\\u2028' : '\\u2029'))}\n`

/**
 * Keeps values outside the memory until they are needed: in a file that only we can read and that has no name any
 * more, so that nothing of it is left, however the process ends.
 */
export const openSpool = async <T>(directory: string) => {
  const path = join(directory, `spool.${process.pid}.draft`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return {
    async add(values: T[]): Promise<void> {
      if (values.length > 0) await file.appendFile(values.map(toLine).join(''))
    },
    async *read(): AsyncGenerator<T> {
      const input = file.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' })
      for await (const line of createInterface({ input, crlfDelay: Infinity })) yield JSON.parse(line) as T
    },
    close: () => file.close(),
  }
}

export type Spool<T> = Awaited<ReturnType<typeof openSpool<T>>>
