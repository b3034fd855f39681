import { base } from '../shared/base.js'

/** An OpenAPI document of the service. */
export interface ServedDocument {
  name: string
  /** Relative to `/docs/`. */
  url: string
}

const folder = new URL('docs/', base)

const read = async (url: string): Promise<unknown> => {
  const answer = await fetch(new URL(url, folder))
  if (!answer.ok) throw new Error(`${String(answer.status)} ${url}`)
  return answer.json()
}

export const listDocuments = async (): Promise<ServedDocument[]> => {
  const { urls } = (await read('documents.json')) as { urls: ServedDocument[] }
  return urls
}

/** Reads a document, with this service under the address of this page as its only server. */
export const readDocument = async (url: string): Promise<object> => ({
  ...((await read(url)) as object),
  servers: [{ url: base.href.replace(/\/$/, '') }],
})
