import type { Client } from './repositories/clients.js'
import type { Resource } from './settings.js'

/**
 * What an application may know, or do at a service, as it is kept and shown: a scope of OpenID Connect alone, one of a service behind its
 * address and `#`, which no such address contains (RFC 8707 2).
 */
const toScopeAt = ({ id }: Pick<Resource, 'id'>, scope: string): string => `${id}#${scope}`

/** Parts what is kept: the scopes of OpenID Connect, and those of each service by its address. */
export const splitScopes = (scopes: readonly string[]) => {
  const own: string[] = []
  const at = new Map<string, string[]>()
  for (const scope of scopes) {
    const end = scope.indexOf('#')
    if (end < 0) own.push(scope)
    else at.set(scope.slice(0, end), [...(at.get(scope.slice(0, end)) ?? []), scope.slice(end + 1)])
  }
  return { own, at }
}

/** A host alone is written with and without a slash behind it. */
export const spellingsOf = (id: string): string[] =>
  new URL(id).pathname === '/' && !id.includes('?') ? [id.replace(/\/$/, ''), id.replace(/\/?$/, '/')] : [id]

/** The parameters `scope` and `resource` of a request. */
export interface Wanted {
  scope?: unknown
  resource?: unknown
}

/** The words of a parameter. */
export const wordsOf = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(' ').filter((word) => word !== '') : []

/** The services for which applications get tokens. */
export const createResources = (list: readonly Resource[]) => {
  const find = (identifier: string): Resource | undefined => list.find(({ id }) => spellingsOf(id).includes(identifier))

  /** Those that a request or a token names. What is unknown, or not the application's, is left out. */
  const named = (resource: unknown, client: Client): Resource[] =>
    [resource ?? []].flat().flatMap((identifier) => {
      const found = typeof identifier === 'string' ? find(identifier) : undefined
      return found && mayUse(client, found) ? [found] : []
    })

  const mayUse = ({ isDocument, resources }: Client, { id }: Resource): boolean =>
    isDocument === true || resources.includes(id)

  /** What of these scopes belongs to the service; who names none of them wants all (RFC 6749 3.3). */
  const scopesAt = ({ scopes }: Resource, asked: readonly string[]): string[] => {
    const some = scopes.filter((scope) => asked.includes(scope))
    return some.length > 0 ? some : scopes
  }

  return {
    find,
    named,
    /** Whether any of them has this scope. */
    isScope: (scope: string): boolean => list.some(({ scopes }) => scopes.includes(scope)),
    mayUse,
    scopesAt,

    /** What a request asks for, as it is kept. */
    wanted({ scope, resource }: Wanted, client: Client): string[] {
      const asked = wordsOf(scope)
      return [
        ...asked.filter((word) => client.scopes.some((one) => one === word)),
        ...named(resource, client).flatMap((one) => scopesAt(one, asked).map((word) => toScopeAt(one, word))),
      ]
    },
  }
}

export type Resources = ReturnType<typeof createResources>
