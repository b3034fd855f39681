import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../helpers/processes/project.js'

export const file = join(root, 'openapi.json')
export const text = readFileSync(file, 'utf8')

interface Media {
  schema?: object
  example?: unknown
  examples?: Record<string, { value: any } | { $ref: string }>
}
interface DocumentedAnswer {
  description?: string
  content?: Record<string, Media>
}
export interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; description?: string; schema: object }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, DocumentedAnswer | { $ref: string }>
}
export const document = JSON.parse(text) as {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, any>; securitySchemes: Record<string, object> }
}
/** What a reference stands for; other values are returned unchanged. */
export const resolve = <T extends object>(part: T | { $ref: string }): T => {
  if (!('$ref' in part)) return part
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce<any>((value, key) => value?.[key], document)
  if (found === undefined) throw new Error(`${part.$ref} is not in the document`)
  return found
}
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
)
