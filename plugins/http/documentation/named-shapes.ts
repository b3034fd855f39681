import { enumerations, userClientMeanings, words, type Enumeration } from '../../../schemas/enumerations.js'
import { refer, type Document, type Schema } from './document.js'

/** The values that login methods and the configuration of this installation allow, and the enumerations of a document alone. */
export interface OpenValues {
  /** Meanings by value. */
  authTypes: Record<string, string>
  userClients: string[]
  further: Record<string, Enumeration>
}

const userClientMeaning = (name: string) => userClientMeanings[name] ?? 'defined in the setting `clients`'

const allEnumerations = ({ authTypes, userClients, further }: OpenValues): Record<string, Enumeration> => ({
  ...enumerations,
  ...further,
  AuthType: words('Authentication method', authTypes),
  UserClient: words('Kind of client', Object.fromEntries(userClients.map((name) => [name, userClientMeaning(name)]))),
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
  const used = new Map<string, Enumeration>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { title, type } = part as Schema
    const enumeration = typeof title === 'string' && typeof type === 'string' ? all[title] : undefined
    if (enumeration) {
      const name = title as string
      used.set(name, enumeration)
      for (const key of ['title', 'type', 'format', 'enum', 'minimum', 'maximum', 'maxLength'])
        Reflect.deleteProperty(part, key)
      Object.assign(part, refer('schemas', name))
    }
    Object.values(part).forEach(visit)
  }
  visit(document)
  for (const [name, enumeration] of used) document.components.schemas[name] = componentOf(enumeration)
}
