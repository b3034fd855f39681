import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Test } from 'tap'
import { installedDirectory } from '../helpers/processes/child.js'
import { dearestRequests, type DearRequest, type DescribedDocument } from '../helpers/load/dearest-requests.js'
import { fetchDocument } from '../helpers/documents/document.js'
import { adminPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'

/** Milliseconds. */
const longestHold = 20
/** A host may take all of the machine for a while; nobody is that unlucky every time. */
const tries = 10
const maxViolations = 20

/**
 * Sends the dearest requests to all operations, one of each `share`, which ROLLCALL_TEST_SEED chooses: none may hold the event loop, or name
 * more than 20 faults.
 */
export const tryDearRequests = async (t: Test, share: number): Promise<void> => {
  const seed = Number(process.env['ROLLCALL_TEST_SEED'] ?? randomInt(2 ** 31))
  t.comment(`seed ${seed}`)
  const directory = await installedDirectory(t)
  const server = await startProcess(t, { directory, hasChannel: true }, ['test/helpers/service/watched-server.js'])
  const { origin, child } = server

  const signIn = async (): Promise<string> => {
    const json = { username: 'admin', password: adminPassword }
    return (await server.call<{ accessToken: string }>('POST', '/auth/login', { json })).body.data.accessToken
  }
  /** Tells the server to begin or to end watching. Resolves to the longest hold in milliseconds. */
  const watch = async (): Promise<number> => {
    const answered = once(child, 'message') as Promise<[{ held: number }]>
    child.send('')
    const [{ held }] = await answered
    return held
  }
  let accessToken = await signIn()
  const send = async ({ method, path, headers, body }: DearRequest) => {
    await watch()
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const held = await watch()
    // Some of the requests end the session.
    if (response.status === 401 && !('authorization' in headers)) accessToken = await signIn()
    return { held, status: response.status, text }
  }

  const document = (await fetchDocument(origin)) as DescribedDocument
  const all = dearestRequests(document)
  t.ok(all.length > 1000, `${all.length} requests`)
  const requests = all.filter((_, index) => index % share === seed % share)
  let dearest = { sentence: '', held: 0 }
  for (const request of requests) {
    const sentence = `${request.operationId}: ${request.sentence}`
    let shortest = Infinity
    for (let count = 0; count < tries && shortest > longestHold; count++) {
      const { held, status, text } = await send(request)
      shortest = Math.min(shortest, held)
      if (status >= 500) t.fail(`${sentence}: ${status} ${text.slice(0, 200)}`)
      const violations = (text.startsWith('{') ? JSON.parse(text).data?.violations : undefined) as unknown[] | undefined
      if ((violations?.length ?? 0) > maxViolations) t.fail(`${sentence}: ${violations?.length} violations`)
    }
    if (shortest > longestHold) t.fail(`${sentence}: held for ${shortest.toFixed(1)} ms`)
    if (shortest > dearest.held) dearest = { sentence, held: shortest }
  }
  t.comment(`${requests.length} requests; the loop was held ${dearest.held.toFixed(1)} ms at most: ${dearest.sentence}`)
}
