import type { FastifyReply } from 'fastify'

/** A file as an answer. */
export interface FileAnswer {
  /** ASCII letters, digits, `-` and `.`. */
  name: string
  type: string
  content: NodeJS.ReadableStream | Buffer
}

/** Answers with a file that browsers save under its name. */
export const sendFile = (reply: FastifyReply, { name, type, content }: FileAnswer): FastifyReply =>
  reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content)
