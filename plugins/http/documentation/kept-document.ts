import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Where a document is reached; the only part of it that differs between requests. */
interface Server {
  url: string
  description: string
}

/** Relative to the document that the page of the documents reads, /docs/json; `routes/openapi-document.ts` names an address. */
export const pageServer: Server = { url: '..', description: 'This server' }

/** Stands for the servers until it is known who asks; no description has it. */
const placeholder = '\u0001servers'

/** Half a megabyte of JSON is written once, not for each request. `read` gives the document. */
export const createKeptDocument = (read: () => object) => {
  const write = () => {
    const text = JSON.stringify({ ...read(), servers: placeholder })
    const [before = '', after = ''] = text.split(JSON.stringify(placeholder))
    return { before: Buffer.from(before), after: Buffer.from(after), version: hash('sha256', text, 'base64url') }
  }
  let kept: ReturnType<typeof write> | undefined
  return {
    /** Writes it now, because that takes some milliseconds. */
    prepare: (): void => void (kept ??= write()),

    /** Answers with the document, or with 304 where the client has the same one. Without a server it is that for the page of the documents. */
    async send(request: FastifyRequest, reply: FastifyReply, server = pageServer): Promise<FastifyReply> {
      const { before, after, version } = (kept ??= write())
      const servers = JSON.stringify([server])
      const etag = `"${hash('sha256', version + servers, 'base64url')}"`
      // It has nothing of anybody: a browser may keep it, and asks before it uses it.
      reply.header('cache-control', 'no-cache').header('etag', etag)
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      const content = Buffer.concat([before, Buffer.from(servers), after])
      return reply.type('application/json; charset=utf-8').send(content)
    },
  }
}

export type KeptDocument = ReturnType<typeof createKeptDocument>
