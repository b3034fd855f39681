import { startServer } from './server.js'
import type { Test } from 'tap'

/**
 * The operations below `/system` of a document that an administrator may use without a second factor, where the configuration asks
 * administration for one.
 */
export const openWithoutFactor = async (t: Test, documentPath: string): Promise<{ asked: number; open: string[] }> => {
  const server = await startServer(t, { settings: { secondFactor: { administration: 'aal2' } } })
  const { accessToken: token } = await server.signIn()
  const document = server.app.documents.find(({ path }) => path === documentPath)?.read() as {
    paths: Record<string, object>
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path]),
  )
  const below = operations.filter(([, path]) => /^\/system(\/|$)/.test(path))
  const open: string[] = []
  for (const [method, path] of below) {
    const body = ['GET', 'DELETE'].includes(method) ? {} : { json: {} }
    const answer = await server.call(method, path.replaceAll(/\{\w+\}/g, '1'), { token, ...body })
    if (answer.status === 403 && answer.body.data.reason === 'step_up_required') continue
    open.push(`${method} ${path}`)
  }
  return { asked: below.length, open: open.sort() }
}
