import { visible } from '../../../../pages/shared/language/visible.js'
import { Refusal } from '../../../../pages/shared/session/fault.js'
import { linesOf, type Application } from './values.js'
import { words } from './words.js'

type PathRole = Application['pathRoles'][number]

const lineOf = ({ path, roles }: PathRole): string => `${path}: ${roles.join(', ')}`

/** Paths that need a role, one on each line: `/admin: admin, staff`. */
export const pathRolesText = (pathRoles: readonly PathRole[]): string => pathRoles.map(lineOf).join('\n')

/** A path may have a colon as well: where a blank follows one, that one is meant. Chinese keyboards write `：` and `，`. */
const parse = (line: string): PathRole | undefined => {
  const [, path, list = ''] = /^(\S+?)\s*[:：]\s+(.+)$/.exec(line) ?? /^([^\s:：]+)\s*[:：](.+)$/.exec(line) ?? []
  const roles = list
    .split(/[,，]/)
    .map((role) => role.trim())
    .filter((role) => role !== '')
  return path === undefined || roles.length === 0 ? undefined : { path, roles: [...new Set(roles)] }
}

/** Throws a `Refusal` that quotes the line. One that was there before stays as it is, also with a role whose key has a comma. */
export const readPathRoles = (text: string | undefined, before: readonly PathRole[]): PathRole[] => {
  const known = new Map(before.map((one) => [lineOf(one), one]))
  return linesOf(text).map((line) => {
    const pathRole = known.get(line) ?? parse(line)
    if (!pathRole) throw new Refusal('', { pathRoles: words.pathRolesFault(visible(line)) })
    return pathRole
  })
}
