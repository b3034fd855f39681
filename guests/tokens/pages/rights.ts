import { covers, type Permission } from '../../../client/index.js'

/** A permission, in words where it has some. */
export interface Right {
  name: string
  text?: string | undefined
}

/** What an owner of these permissions can give a token: of those in `known`, which have words, what a pattern covers, and all others. */
export const rightsOf = (permissions: readonly string[], known: Record<string, string>): Right[] => {
  const covered = Object.entries(known).filter(([name]) => permissions.some(covers(name as Permission)))
  const others = permissions.filter((name) => known[name] === undefined)
  return [...covered.map(([name, text]) => ({ name, text })), ...others.map((name) => ({ name }))]
}
