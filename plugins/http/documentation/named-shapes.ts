import { enumerations, userClientMeanings, words, type Enumeration } from '../../../schemas/enumerations.js'
import { envelopeSuffix } from '../../../schemas/envelope.js'
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

/** What goes from a field to the component: the field keeps what it says of itself. */
const keysOfComponent = ['title', 'type', 'format', 'enum', 'minimum', 'maximum', 'maxLength']

/** Makes components of the enumerations and of the envelopes of answers; the schemas whose `title` names one become references to it. */
export const nameShapes = (document: Document, open: OpenValues): void => {
  const all = allEnumerations(open)
  const ofFields: Record<string, Schema> = {}
  const envelopes: Record<string, Schema> = {}
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    Object.values(part).forEach(visit)
    const { title, ...shape } = part as Schema
    if (typeof title !== 'string' || typeof shape['type'] !== 'string') return
    const enumeration = all[title]
    if (enumeration) ofFields[title] ??= componentOf(enumeration)
    else if (!title.endsWith(envelopeSuffix)) return
    else {
      // It is that of the answer.
      delete shape['description']
      envelopes[title] ??= shape
    }
    for (const key of enumeration ? keysOfComponent : Object.keys(part)) Reflect.deleteProperty(part, key)
    Object.assign(part, refer('schemas', title))
  }
  visit(document)
  Object.assign(document.components.schemas, ofFields, envelopes)
}
