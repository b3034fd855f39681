// The tables of docs/configuration.md, made from the schemas of the settings and the list of environment variables.

/**
 * A setting, or an object of settings, of a JSON schema.
 * @typedef {object} Schema
 * @property {string | string[]} [type]
 * @property {string} [description]
 * @property {unknown} [default]
 * @property {string[]} [enum]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 */

/**
 * @typedef {object} Sources
 * @property {Schema} Settings
 * @property {Record<string, string>} retiredSettings
 * @property {readonly { name: string, setting?: readonly string[], fallback?: string, isSecret?: true, description: string }[]} environment
 */

const number = (/** @type {number} */ value) => value.toLocaleString('en')
const code = (/** @type {unknown} */ value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const table = (/** @type {string[]} */ head, /** @type {string[][]} */ rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

/** Which values a setting takes, in words. */
const valuesOf = (/** @type {Schema} */ schema) => {
  const types = [schema.type ?? []].flat()
  const values = schema.enum?.map(code) ?? types.filter((type) => type !== 'null').map((type) => nameOf(type, schema))
  return [...values, ...(types.includes('null') ? ['`null`'] : [])].join(', ')
}

const nameOf = (/** @type {string} */ type, /** @type {Schema} */ { items, minimum, maximum, properties }) => {
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'array')
    return items?.properties ? 'list of objects' : `list of ${items?.type === 'integer' ? 'integers' : 'texts'}`
  if (type === 'object') return Object.keys(properties ?? {}).join(', ')
  if (type !== 'integer') return 'text'
  return maximum === undefined ? `${number(minimum ?? 0)} or more` : `${number(minimum ?? 0)} to ${number(maximum)}`
}

const presetOf = (/** @type {Schema} */ schema) => (schema.default === undefined ? 'none' : code(schema.default))
const capitalized = (text = '') => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The rows of an object of settings, those of inner objects included.
 * @type {(schema: Schema, path?: string) => string[][]}
 */
const rowsOf = ({ properties = {} }, path = '') =>
  Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties
      ? rowsOf(schema, `${path}${name}.`)
      : [[code(path + name), valuesOf(schema), presetOf(schema), capitalized(schema.description)]],
  )

const head = ['Setting', 'Values', 'Default', 'Meaning']

/** Settings for each kind of client: the same names for all, with the presets of each. */
const clientsSection = (/** @type {Schema} */ clients) => {
  const kinds = Object.entries(clients.properties ?? {})
  const rows = Object.entries(kinds[0]?.[1].properties ?? {}).map(([name, schema]) => [
    code(`clients.<kind>.${name}`),
    valuesOf(schema),
    ...kinds.map(([, { properties = {} }]) => presetOf(properties[name] ?? {})),
    schema.description ?? '',
  ])
  return table(['Setting', 'Values', ...kinds.map(([kind]) => code(kind)), 'Meaning'], rows)
}

/**
 * A section for each object of settings, and a first one for the others.
 * @param {Sources} sources
 */
export const settingsTables = ({ Settings }) => {
  const entries = Object.entries(Settings.properties ?? {})
  const general = Object.fromEntries(entries.filter(([, { properties }]) => !properties))
  const sections = entries.filter(([, { properties }]) => properties)
  const text = sections.map(([name, schema]) => {
    const title = `### ${name}\n\n${schema.description ?? ''}\n\n`
    if (name === 'clients') return title + clientsSection(schema)
    const lists = Object.entries(schema.properties ?? {}).flatMap(([list, { items }]) =>
      items?.properties ? [`\nEach object in \`${name}.${list}\`:\n\n${table(head, rowsOf(items))}`] : [],
    )
    return title + table(head, rowsOf(schema, `${name}.`)) + lists.join('')
  })
  return [`### General\n\n${table(head, rowsOf({ properties: general }))}`, ...text].join('\n')
}

/** @param {Sources} sources */
export const variablesTable = ({ environment, Settings }) => {
  const fallback = (/** @type {readonly string[]} */ path) =>
    presetOf(path.reduce((/** @type {Schema} */ schema, name) => schema.properties?.[name] ?? {}, Settings))
  const rows = environment.map(({ name, setting, fallback: words, isSecret, description }) => [
    code(name),
    setting ? code(setting.join('.')) : '',
    words ?? (setting ? fallback(setting) : 'none'),
    isSecret ? `${description}. Also ${code(`${name}_FILE`)}` : description,
  ])
  return table(['Variable', 'Overrides', 'Default', 'Meaning'], rows)
}

/** @param {Sources} sources */
export const retiredTable = ({ retiredSettings }) =>
  table(
    ['Setting', 'Instead'],
    Object.entries(retiredSettings).map(([name, instead]) => [code(name), capitalized(instead)]),
  )
