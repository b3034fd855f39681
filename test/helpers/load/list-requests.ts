import type { DescribedDocument } from './dearest-requests.js'

type Schema = Record<string, any>

/** What there is in the database: as many of each as the longest list may name. */
export interface Existing {
  userIds: number[]
  roleIds: number[]
  roleKeys: string[]
  tenantId: number
  methods: string[]
}

export interface ListRequest {
  sentence: string
  method: string
  path: string
  /** Each has another name for what is added. */
  body: (index: number) => string
}

const permissions = Array.from({ length: 1000 }, (_, index) => `system:p${index}:read`)

/** What a list of this name may have that exists; a list without a line here fails the test, so that a new one is not forgotten. */
const sources: Record<string, (existing: Existing) => unknown[]> = {
  ids: ({ userIds }) => userIds,
  userIds: ({ userIds }) => userIds,
  roleIds: ({ roleIds }) => roleIds,
  roleKeys: ({ roleKeys }) => roleKeys,
  tenantIds: ({ tenantId, userIds }) => userIds.map(() => tenantId),
  orgIds: ({ tenantId, userIds }) => userIds.map(() => tenantId),
  permissions: () => permissions,
  methods: ({ methods }) => methods.map((name) => ({ name, enabled: true })),
}

const nameAnew = (body: unknown, index: number): unknown =>
  Array.isArray(body)
    ? body
    : Object.fromEntries(
        Object.entries(body as object).map(([name, value]) => [
          name,
          name === 'key' || name === 'username' ? `added-${index}` : (value as unknown),
        ]),
      )

/** A request for each list of each body, with as many items as it may have, and for each word of a field that is one of some words. */
export const listRequests = (
  { paths, components: { schemas } }: DescribedDocument,
  existing: Existing,
): { requests: ListRequest[]; unknown: string[] } => {
  const resolve = (schema: Schema): Schema =>
    typeof schema['$ref'] === 'string' ? resolve(schemas[schema['$ref'].split('/').at(-1) ?? ''] ?? {}) : schema
  const wordsOf = (schema: Schema): unknown[] =>
    schema['enum'] ?? ((schema['oneOf'] ?? schema['anyOf'] ?? []) as Schema[]).map((one) => one['const'])
  const unknown: string[] = []

  const fillList = (name: string, { maxItems }: Schema, place: string): unknown[] => {
    const source = sources[name]
    if (!source || maxItems === undefined) unknown.push(`${place}: ${name}`)
    return source?.(existing).slice(0, maxItems) ?? []
  }
  const bodiesOf = (schema: Schema, place: string): [sentence: string, body: unknown][] => {
    if (schema['type'] === 'array') return [['', fillList('ids', schema, place)]]
    const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(
      ([name, field]) => [name, resolve(field)] as const,
    )
    const required = (schema['required'] ?? []) as string[]
    const [, words] =
      fields
        .map(([name, field]) => [name, wordsOf(field)] as const)
        .find(([name, found]) => found.length > 0 && required.includes(name)) ?? []
    const word = fields.find(([name, field]) => required.includes(name) && wordsOf(field).length > 0)?.[0]
    return fields
      .filter(([, { type }]) => type === 'array')
      .flatMap(([name, field]) =>
        (words ?? [undefined]).map((chosen): [string, unknown] => {
          const others = fields
            .filter(([other]) => other !== name && (required.includes(other) || other === 'password'))
            .map(([other, { examples }]) => [other, other === word ? chosen : examples?.[0]])
          const sentence = `${name}${chosen === undefined ? '' : `, ${word}: ${chosen as string}`}`
          return [sentence, { ...Object.fromEntries(others), [name]: fillList(name, field, place) }]
        }),
      )
  }

  const requests = Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([verb, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema) return []
      const method = verb.toUpperCase()
      const place = `${method} ${template}`
      const ofTenant = template.startsWith('/system/tenant/')
      const path = template
        .replace('{id}', String(ofTenant ? existing.tenantId : existing.userIds.at(-1)))
        .replace('{key}', existing.roleKeys.at(-1) ?? '')
      return bodiesOf(resolve(schema), place).map(([sentence, body]) => ({
        sentence: `${place} ${sentence}`.trim(),
        method,
        path,
        body: (index: number) => JSON.stringify(nameAnew(body, index)),
      }))
    }),
  )
  return { requests, unknown }
}
