import { invalidField, problem } from '../../../lib/problem.js'
import { maxFaults, type Fault } from '../../../lib/violations.js'
import { checkName, isName, maxNameLength } from './names.js'

const isWellFormed = (permission: string): boolean => /^(\*|[\w-]+):(\*|[\w-]+):(\*|[\w-]+)$/.test(permission)

/** Throws `invalid_request`, which names the fields of a role that are not valid; absent fields are not checked. */
export const checkRole = (role: {
  key?: string | undefined
  name?: string | undefined
  permissions?: string[] | undefined
}): void => {
  const { key, name, permissions = [] } = role
  const faults: Fault[] = []
  const parameters = { limit: maxNameLength }
  if (key !== undefined && !isName(key)) faults.push({ field: 'key', rule: 'name', parameters })
  if (name !== undefined && !isName(name)) faults.push({ field: 'name', rule: 'name', parameters })
  for (const [index, permission] of permissions.entries()) {
    if (faults.length === maxFaults) break
    if (!isWellFormed(permission)) faults.push({ field: `permissions.${index}`, rule: 'permission' })
  }
  if (faults.length > 0) throw problem('invalid_request', { faults })
}

/** Throws `invalid_request` for a name that no tenant may have. */
export const checkTenantName = (name: string): void => {
  checkName('name', name)
  // `--tenant 2` names the tenant with the id 2, so names of digits only would be ambiguous.
  if (/^\d+$/.test(name)) throw invalidField('name', 'digits_only')
}
