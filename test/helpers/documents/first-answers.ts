import { catalogue, type Reason } from '../../../schemas/problems.js'
import { adminPassword, type TestServer } from '../service/server.js'

interface Body {
  type: string
  name?: string
  description?: string
  value: unknown
}
interface Operation {
  operationId: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    example?: string | number
    schema: { default?: string | number }
  }[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { $ref: string }> }> }
}

export interface ExampleDocument {
  paths: Record<string, Record<string, Operation>>
  components: { examples: Record<string, { value: any }> }
}
export interface DescribedOperation {
  path: string
  method: string
  operation: Operation
}

export const describedOperations = ({ paths }: ExampleDocument): DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** Every body that Swagger UI fills in; one without a body if the operation has none. A file must be chosen by hand. */
const bodiesOf = ({ components }: ExampleDocument, { requestBody }: Operation): (Body | undefined)[] => {
  if (!requestBody) return [undefined]
  return Object.entries(requestBody.content).flatMap(([type, { example, examples = {} }]) => [
    ...(example === undefined ? [] : [{ type, value: example }]),
    ...Object.entries(examples).map(([name, { $ref }]) => ({
      type,
      name,
      ...(components.examples[$ref.split('/').at(-1) ?? ''] ?? { value: undefined }),
    })),
  ])
}

const textOf = ({ type, value }: Body): string => {
  if (type === 'application/json') return JSON.stringify(value)
  return typeof value === 'string' ? value : new URLSearchParams(value as Record<string, string>).toString()
}

/** An administrator who has changed the password, as the hint of `/docs` says. */
export const signInFirst = async (server: TestServer): Promise<string> => {
  const { accessToken } = await server.signIn()
  const json = { oldPassword: adminPassword, newPassword: 'plain green teapot' }
  const changed = await server.call('POST', '/auth/changePassword', { token: accessToken, json })
  if (changed.status !== 200) throw new Error(changed.text)
  return accessToken
}

/** Sends what Swagger UI fills in, and nothing else. */
const execute = (
  server: TestServer,
  token: string,
  { path, method, operation }: DescribedOperation,
  body: Body | undefined,
) => {
  const query: Record<string, string> = {}
  const headers: Record<string, string> = body ? { 'content-type': body.type } : {}
  let filled = path
  for (const { name, in: place, example, schema } of operation.parameters ?? []) {
    const value = example ?? schema.default
    if (value === undefined) continue
    if (place === 'query') query[name] = String(value)
    else if (place === 'header') headers[name] = String(value)
    else filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)))
  }
  const hasToken = (operation.security ?? []).some((scheme) => 'bearer' in scheme)
  const options = { query, headers, ...(hasToken ? { token } : {}), ...(body ? { raw: textOf(body) } : {}) }
  return server.call(method, filled, options)
}

const sentence = /The example answers (\d+) `(\w+)` until [^.]+\./

/** What was answered to each example of an operation, and what its description says. */
export const answersTo = async (
  server: TestServer,
  token: string,
  document: ExampleDocument,
  one: DescribedOperation,
) => {
  const lines: [what: string, found: unknown, wanted: unknown, text: string][] = []
  for (const body of bodiesOf(document, one.operation)) {
    const answer = await execute(server, token, one, body)
    const [, status = '200', reason] =
      sentence.exec(body?.description ?? '') ?? sentence.exec(one.operation.description ?? '') ?? []
    const what = `${one.operation.operationId} ${body?.type ?? ''} ${body?.name ?? ''}`
    const wanted = reason === undefined ? [200] : [Number(status), reason]
    const found = answer.status === 200 ? [200] : [answer.status, answer.body.data.reason]
    lines.push([what, found, wanted, answer.text])
    if (reason !== undefined && catalogue[reason as Reason].status !== Number(status)) {
      lines.push([`${what} names the status of the reason`, status, catalogue[reason as Reason].status, ''])
    }
  }
  return lines
}
