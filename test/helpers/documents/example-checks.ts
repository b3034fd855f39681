import type { Test } from 'tap'
import { documentSchemas } from './document.js'

interface Media {
  example?: unknown
  examples?: Record<string, { $ref: string }>
}

const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
const findIn = (document: any, place: string) =>
  place
    .slice(2)
    .split('/')
    .reduce((value, key) => value[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** The places of all bodies of requests and answers. */
const bodiesOf = (document: any) =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).flatMap(([method, operation]) => {
      const own = `#/paths/${escape(path)}/${method}`
      const places = [
        ...(operation.requestBody ? [`${own}/requestBody`] : []),
        ...Object.keys(operation.responses).map(
          (status) => operation.responses[status].$ref ?? `${own}/responses/${status}`,
        ),
      ]
      return places.flatMap((place) =>
        Object.keys(findIn(document, place).content).map((type) => ({
          type,
          place: `${place}/content/${escape(type)}`,
        })),
      )
    }),
  )

/** Every request and every answer has an example, and each example is valid. */
export const checkBodies = (t: Test, document: any): void => {
  const { validateAt } = documentSchemas(document)
  const find = (place: string) => findIn(document, place)
  for (const { type, place } of new Map(bodiesOf(document).map((body) => [body.place, body])).values()) {
    const { example, examples = {} }: Media = find(place)
    const values = Object.values(examples).map(({ $ref }) => find($ref).value)
    if (example !== undefined) values.push(example)
    if (/^(multipart|application\/vnd)/.test(type)) continue
    if (type !== 'text/csv') t.ok(values.length > 0, `${place} has an example`)
    const fault = validateAt(`${place}/schema`)
    for (const value of values) t.equal(fault(value), undefined, `${place} ${JSON.stringify(value).slice(0, 80)}`)
  }
}

/** Every required parameter has an example that is valid. */
export const checkParameters = (t: Test, document: any): void => {
  const { validateAt } = documentSchemas(document)
  for (const [path, item] of Object.entries<any>(document.paths)) {
    for (const [method, { parameters = [] }] of Object.entries<any>(item)) {
      for (const [index, { name, required, example }] of parameters.entries()) {
        if (!required) continue
        const place = `#/paths/${escape(path)}/${method}/parameters/${index}/schema`
        t.equal(validateAt(place)(example), undefined, `${method} ${path} ${name}: ${String(example)}`)
      }
    }
  }
}
