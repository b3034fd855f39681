import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Operation {
  responses: Record<string, { content?: Record<string, object> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
}

const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

type Check = (method: string, path: string, status: number, body: unknown) => string | undefined

/**
 * Checks answers against the OpenAPI document: the status must be documented for the operation, and the body must
 * have the documented shape. Returns what is wrong, or undefined.
 */
const createCheck = (document: Document): Check => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')

  return (method, path, status, body) => {
    const operation = document.paths[path]?.[method.toLowerCase()]
    // Unknown addresses and methods have no operation; they are tested for what they are.
    if (!operation) return undefined
    if (!operation.responses[String(status)]) return `${method} ${path} answered ${status}, which is not documented`
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', 'application/json']
    const $ref = `document#/${[...pointer, 'schema'].map(escape).join('/')}`
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref })
    return validate(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`
  }
}

const checks = new Map<string, Check>()

/** The check of a document; servers with the same document share it, because to compile it takes longer than a test. */
export const documentCheck = (document: Document): Check => {
  const text = JSON.stringify(document)
  const check = checks.get(text) ?? createCheck(document)
  checks.set(text, check)
  return check
}
