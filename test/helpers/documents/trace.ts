import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from '../processes/project.js'

/** What follows an answer, such as a mail, is done by then. Milliseconds. */
const rest = 200

const branches = /\bif \(|\? |\?\?|&&|\|\||\bthrow |\bswitch \(/

/**
 * The files of the service that run and decide something during `call`: a function with a branch has run in them. Paths are those of
 * the sources. What runs on other threads and in other processes is not seen.
 */
export const tracedFiles = async (call: () => Promise<unknown>): Promise<string[]> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // What has run so far.
  await session.post('Profiler.takePreciseCoverage')
  await call()
  await setTimeout(rest)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return result
    .filter(
      ({ url }) => url.startsWith('file:') && /^build\/(?!test\/)/.test(fileURLToPath(url).slice(root.length + 1)),
    )
    .filter(({ url, functions }) => {
      const text = readFileSync(new URL(url), 'utf8')
      return functions
        .filter(({ functionName, ranges: [range] }) => functionName !== '' || (range?.startOffset ?? 0) > 0)
        .flatMap(({ ranges }) => ranges.slice(0, 1))
        .some(({ count, startOffset, endOffset }) => count > 0 && branches.test(text.slice(startOffset, endOffset)))
    })
    .map(({ url }) => fileURLToPath(url).slice(`${root}/build/`.length).replace(/\.js$/, '.ts'))
    .sort()
}
