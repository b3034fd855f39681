import type { FastifyRequest } from 'fastify'

/** The page of the front end from which a request comes, without its query; undefined for other clients. */
export const pageOfRequest = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const { 'x-page-path': path } = headers
  return typeof path === 'string' ? path.split(/[?#]/, 1)[0] : undefined
}

/** Whether the front end sent it: it names its pages, and has the passwords of `POST /auth/changePassword` in the query. */
export const isOfFrontEnd = (request: Pick<FastifyRequest, 'headers' | 'query'>): boolean =>
  pageOfRequest(request) !== undefined || 'newPassword' in (request.query as object)
