import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

interface DocumentedAnswer {
  description?: string
  content?: Record<string, object>
}
interface Operation {
  responses: Record<string, DocumentedAnswer | { $ref: string }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { responses?: Record<string, DocumentedAnswer> }
}

const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

const ajvOf = (document: object) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  return ajv.addSchema(document, 'document')
}

/** Checks values against the named shapes of a document, or the schema at a place such as `#/paths/~1auth~1login/post`. */
export const documentSchemas = (document: object) => {
  const ajv = ajvOf(document)
  const validateAt = (place: string) => {
    const validate = ajv.compile({ $ref: `document${place}` })
    return (value: unknown) => (validate(value) ? undefined : ajv.errorsText(validate.errors))
  }
  return { validateAt, validate: (name: string) => validateAt(`#/components/schemas/${name}`) }
}

type Check = (method: string, path: string, status: number, body: unknown) => string | undefined

/**
 * Checks answers against the OpenAPI document: the status and the reason must be documented for the operation, and the
 * body must have the documented shape. Returns what is wrong, or undefined.
 */
const createCheck = (document: Document): Check => {
  const ajv = ajvOf(document)
  const sharedAnswer = ($ref: string) => document.components?.responses?.[$ref.split('/').at(-1) ?? '']

  const patterns = Object.keys(document.paths).map(
    (path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
  )

  return (method, address, status, body) => {
    const [asked = ''] = address.split('?')
    const path = asked in document.paths ? asked : (patterns.find(([, pattern]) => pattern.test(asked))?.[0] ?? asked)
    const operation = document.paths[path]?.[method.toLowerCase()]
    // Unknown addresses and methods have no operation; they are tested for what they are.
    if (!operation) return undefined
    const answer = operation.responses[String(status)]
    if (!answer) return `${method} ${path} answered ${status}, which is not documented`
    const reason = (body as { data?: { reason?: unknown } | null }).data?.reason
    const documented = '$ref' in answer ? sharedAnswer(answer.$ref) : answer
    if (status >= 400 && typeof reason === 'string' && !documented?.description?.includes(`\`${reason}\``))
      return `${method} ${path} answered ${reason}, which is not documented`
    const place =
      '$ref' in answer
        ? answer.$ref
        : `#/${['paths', path, method.toLowerCase(), 'responses', String(status)].map(escape).join('/')}`
    const $ref = `document${place}/content/${escape('application/json')}/schema`
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

/** The methods of Rollcall itself, in the order in which the document names them. */
export const builtInAuthTypes = [
  ...['password', 'password_captcha', 'phone_captcha', 'email_captcha'],
  ...['oauth2', 'social', 'passkey', 'totp', 'recovery'],
]
interface Documented {
  paths: object
  components: Record<string, object>
}

/** Several documents as one. */
const mergeDocuments = (documents: unknown[]): object => {
  const whole: Documented = { paths: {}, components: {} }
  for (const { paths, components } of documents as Documented[]) {
    Object.assign(whole.paths, paths)
    for (const [kind, named] of Object.entries(components))
      whole.components[kind] = { ...whole.components[kind], ...named }
  }
  return whole
}

/** All that a server documents, as one document. */
export const documentOf = ({ app }: { app: FastifyInstance }): any =>
  mergeDocuments(app.documents.map(({ read }) => read()))

/** The same of a server in a process of its own. */
export const fetchDocument = async (origin: string): Promise<any> => {
  const { urls = [{ url: 'json' }] } = (await (await fetch(`${origin}/docs/documents.json`)).json()) as {
    urls?: { url: string }[]
  }
  return mergeDocuments(await Promise.all(urls.map(async ({ url }) => (await fetch(`${origin}/docs/${url}`)).json())))
}
