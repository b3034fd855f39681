// The text of client/operations.ts, made from the OpenAPI document: 1,725 lines of what can be called. openapi-typescript writes 9,261 of all
// answers, and a second file of some 50 lines of types would have to make these operations of it, without their comments.
import { format } from 'prettier'

/**
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {unknown} [const]
 * @property {unknown[]} [enum]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {string} [description]
 *
 * @typedef {{ name: string, in: string, required?: boolean, schema: Schema, description?: string }} Parameter
 * @typedef {{ content?: Record<string, { schema?: Schema }> }} Content
 *
 * @typedef {object} Operation
 * @property {string} [summary]
 * @property {Parameter[]} [parameters]
 * @property {Content & { required?: boolean }} [requestBody]
 * @property {Record<string, Content>} responses
 *
 * @typedef {object} Document
 * @property {Record<string, Record<string, Operation>>} paths
 * @property {{ schemas: Record<string, Schema> }} components
 */

const nameOf = (/** @type {string} */ reference) => reference.split('/').at(-1) ?? ''
const comment = (/** @type {string | undefined} */ text) =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`

/** @type {Record<string, (schema: Schema) => string>} */
const types = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items = {} }) => `(${typeOf(items)})[]`,
  object: ({ properties = {}, required = [] }) => {
    const members = Object.entries(properties).map(([name, schema]) => member(name, schema, required.includes(name)))
    return members.length === 0 ? 'Record<string, unknown>' : `{ ${members.join('')} }`
  },
}

/** @type {(schema: Schema) => string} */
const typeOf = (schema) => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const branches = schema.anyOf ?? schema.oneOf
  if (branches && !schema.properties) return branches.map((branch) => `(${typeOf(branch)})`).join(' | ')
  if (schema.allOf && !schema.properties) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ')
  const names = [schema.type ?? (schema.properties ? 'object' : [])].flat()
  return names.map((name) => types[name]?.(schema) ?? 'unknown').join(' | ') || 'unknown'
}

/** @type {(name: string, schema: Schema, isRequired: boolean) => string} */
const member = (name, schema, isRequired) =>
  `${comment(schema.description)}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}\n`

/** @type {(part: string, operation: Operation) => string} */
const parametersOf = (part, { parameters = [] }) => {
  const own = parameters.filter((parameter) => parameter.in === part)
  if (own.length === 0) return ''
  const members = own.map(({ name, schema, required = false, description }) =>
    member(name, { ...schema, ...(description === undefined ? {} : { description }) }, required),
  )
  const isRequired = own.some(({ required }) => required)
  return `${part}${isRequired ? '' : '?'}: { ${members.join('')} }\n`
}

/** The version that a change is based on, for the header `If-Match`.
 * @type {(operation: Operation) => string} */
const versionOf = ({ parameters = [] }) => {
  const header = parameters.find((parameter) => parameter.in === 'header' && parameter.name === 'if-match')
  return header ? member('ifMatch', { ...header.schema, description: header.description ?? '' }, false) : ''
}

/**
 * The payload of the operation if it is answered as JSON in the envelope, and takes JSON or no body.
 * @type {(operation: Operation, schemas: Record<string, Schema>) => Schema | undefined}
 */
const payloadOf = ({ requestBody, responses }, schemas) => {
  if (requestBody && !requestBody.content?.['application/json']) return undefined
  const answer = responses['200']?.content?.['application/json']?.schema
  const shape = answer?.$ref === undefined ? answer : schemas[nameOf(answer.$ref)]
  return shape?.properties?.['timestamp'] && shape.properties['data']
}

/** @param {Document} document */
export const clientTypes = ({ paths, components: { schemas } }) => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const payload = payloadOf(operation, schemas)
      if (!payload) return []
      const body = operation.requestBody?.content?.['application/json']?.schema
      const bodyMember = body ? `body${operation.requestBody?.required ? '' : '?'}: ${typeOf(body)}\n` : ''
      const inner = `${parametersOf('path', operation)}${parametersOf('query', operation)}${versionOf(operation)}${bodyMember}data: ${typeOf(payload)}`
      return [`${comment(operation.summary)}'${method.toUpperCase()} ${path}': { ${inner} }\n`]
    }),
  )
  // Only what the operations use.
  const used = new Set()
  let text = `/** What each operation takes, and the payload of its answer. */\nexport interface Operations { ${operations.join('')} }\n`
  for (let isFound = true; isFound;) {
    isFound = false
    for (const [name, schema] of Object.entries(schemas)) {
      if (used.has(name) || !new RegExp(`\\b${name}\\b`).test(text)) continue
      used.add(name)
      isFound = true
      text += `${comment(schema.description)}export type ${name} = ${typeOf(schema)}\n`
    }
  }
  const note = '// Generated from openapi.json by every build. Change the routes and schemas, not this file.\n\n'
  return format(note + text, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 120 })
}
