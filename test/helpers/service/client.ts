import type { Answer, CallOptions } from './server.js'

/** Calls a server at `origin`, which has a clock and rules of its own. */
export const createClient = (origin: string) => {
  const call = async <T = any>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> => {
    const headers = new Headers(options.headers)
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`)
    if (options.json !== undefined) headers.set('content-type', 'application/json')
    const body = options.json === undefined ? options.raw : JSON.stringify(options.json)
    const response = await fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : undefined) as Answer<T>['body'],
    }
  }
  return {
    call,
    signIn: (username: string, password: string, more = {}) =>
      call('POST', '/auth/login', { json: { username, password, ...more } }),
  }
}
