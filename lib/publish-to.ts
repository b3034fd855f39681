import type { FastifyReply } from 'fastify'

/** What everybody may know, scripts of all origins and caches included. */
export const publishTo = <Content>(reply: FastifyReply, content: Content): Content => {
  void reply.header('cache-control', 'public, max-age=300')
  // An origin that is listed has its own header already.
  if (!reply.hasHeader('access-control-allow-origin')) void reply.header('access-control-allow-origin', '*')
  return content
}
