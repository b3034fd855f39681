import type { CallOptions, TestServer } from '../../../test/helpers/service/server.js'

/** Sends requests as the existing front end does: with these verbs, content types and bodies. */
export const createFrontEnd = (server: TestServer, token: string, headers: Record<string, string> = {}) => ({
  /** Parameters in the query, an empty form as the body. */
  query: (path: string, query: CallOptions['query'] = '') =>
    server.call('POST', path, {
      token,
      query,
      raw: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    }),
  /** No body and no content type. */
  nothing: (path: string, query: CallOptions['query'] = '') => server.call('POST', path, { token, query, headers }),
  json: (path: string, json: unknown) => server.call('POST', path, { token, json, headers }),
  get: (path: string, query: CallOptions['query'] = '') => server.call('GET', path, { token, query, headers }),
  remove: (path: string) => server.call('DELETE', path, { token, headers }),
})
