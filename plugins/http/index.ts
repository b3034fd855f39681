import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import fp from 'fastify-plugin'
import access from './access/index.js'
import bodyParsers from './body-parsers.js'
import browserRequests from './browser-requests.js'
import clientContext from './client-context.js'
import connections from './connections/index.js'
import cookies from './cookies.js'
import databaseFault from './database-fault.js'
import documentation, { type DocumentationOptions } from './documentation/index.js'
import envelope from './envelope.js'
import errors from './errors/index.js'
import gracefulClose from './graceful-close.js'
import metrics from './metrics/index.js'
import pageCookie from './page-cookie.js'
import rateLimits from './rate-limits.js'
import requestId from './request-id.js'
import securityHeaders from './security-headers.js'
import serialization from './serialization.js'
import untrustedProxy from './untrusted-proxy.js'
import validation from './validation/index.js'

/** What a request passes, in this order. Hooks of one kind run in the order in which they are added here. */
const inOrder: (FastifyPluginAsync<DocumentationOptions> | FastifyPluginCallback<DocumentationOptions>)[] = [
  connections, // Before a request is read: how many connections are open, one request of each at a time
  gracefulClose, // Also for connections that have never sent a request
  untrustedProxy, // First hook: from here on the address of the client is used
  requestId, // Whatever refuses the request, its answer has the id
  securityHeaders, // Before anything that may refuse, so that refusals have these headers
  databaseFault, // Before anything that asks the database
  validation, // Has the named components, which the document shows
  documentation, // Its pages are neither wrapped nor guarded, so before the hooks that see the routes that follow
  errors, // Unknown addresses end here, before they count or are read
  rateLimits, // Before tokens are looked up: what is refused costs nothing
  browserRequests, // Forms of other sites end before they are taken for the user
  access, // Before the body is read: strangers send bodies in vain
  cookies, // Only read by the routes that ask for them
  clientContext, // From the headers and cookies
  pageCookie, // Needs to know pages of the same origin
  bodyParsers, // The body, bounded and strict; then it is validated
  envelope, // Around the handler and its schema
  serialization, // By the schema with the envelope
  metrics, // Last: counts answers
]

/** Reads requests and writes answers. Commands leave this wing out. */
export default fp(
  async (app, options: DocumentationOptions) => {
    for (const plugin of inOrder) await app.register(plugin, options)
  },
  { name: 'http' },
)
