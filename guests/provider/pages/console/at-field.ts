import { Refusal, toFault } from '../../../../pages/shared/session/fault.js'

/** `redirectUris.0` belongs to the field `redirectUris`, `pathRoles.0.path` to `pathRoles`, and `access.roles` to the choice of roles. */
const fieldOf = (violation: string): string =>
  violation === 'access.roles' ? 'roleKeys' : violation.replace(/\.\d+(\..+)?$/, '')

/** The server names an entry by its place in a list, and who may use an application by its part; the page has one field for each. */
export const atField = (error: unknown): unknown => {
  const { message, fields } = toFault(error)
  const named = Object.entries(fields).map(([field, text]) => [fieldOf(field), text])
  return named.length === 0 ? error : new Refusal(message, Object.fromEntries(named) as Record<string, string>)
}
