import {
  authTypeMeanings,
  enumerations,
  userClientMeanings,
  words,
  type Enumeration,
  type EnumerationName,
} from '../../../schemas/enumerations.js'
import { refer, type Document, type Schema } from './document.js'

/** The values that plugins and the configuration of this installation allow. */
export interface OpenValues {
  authTypes: string[]
  userClients: string[]
}

const withMeanings = (description: string, values: string[], meanings: Record<string, string>, other: string) =>
  words(description, Object.fromEntries(values.map((value) => [value, meanings[value] ?? other])))

const allEnumerations = ({ authTypes, userClients }: OpenValues): Record<EnumerationName, Enumeration> => ({
  ...enumerations,
  AuthType: withMeanings('Authentication method', authTypes, authTypeMeanings, 'added by a plugin'),
  UserClient: withMeanings('Kind of client', userClients, userClientMeanings, 'defined in the setting `clients`'),
})

const boundsOf = (values: number[]) => ({ minimum: Math.min(...values), maximum: Math.max(...values) })

/** `x-enum-varnames` and `x-enum-descriptions` are what generators of clients read. */
const componentOf = ({ type, description, values }: Enumeration): Schema => ({
  type,
  ...(type === 'integer' ? boundsOf(values.map(({ value }) => Number(value))) : {}),
  description: [
    `${description}:`,
    ...values.map(({ value, name, meaning }) => `- \`${value}\`${name ? ` ${name}` : ''}: ${meaning}`),
  ].join('\n'),
  enum: values.map(({ value }) => value),
  ...(type === 'integer' ? { 'x-enum-varnames': values.map(({ name }) => name) } : {}),
  'x-enum-descriptions': values.map(({ meaning }) => meaning),
})

/** Makes the enumerations components, and the fields whose `title` names one references to it. */
export const nameEnumerations = (document: Document, open: OpenValues): void => {
  const all = allEnumerations(open)
  const used = new Set<EnumerationName>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { title, type } = part as Schema
    if (typeof title === 'string' && typeof type === 'string' && title in all) {
      const name = title as EnumerationName
      used.add(name)
      for (const key of ['title', 'type', 'format', 'enum', 'minimum', 'maximum', 'maxLength'])
        Reflect.deleteProperty(part, key)
      Object.assign(part, refer('schemas', name))
    }
    Object.values(part).forEach(visit)
  }
  visit(document)
  for (const name of used) document.components.schemas[name] = componentOf(all[name])
}
