import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import { isProblem } from '../../../lib/problem.js'
import { checkSession } from '../../../plugins/sessions/sessions/validate-session.js'
import type { FindClaims } from '../claims.js'
import { isOutlived } from '../outlived.js'
import { findPerson, refusalOf, type Person } from '../person.js'
import type { Client } from '../repositories/clients.js'
import type { Resources } from '../resources.js'
import { recordOf } from './record.js'
import type { OwnerOf } from './request-owner.js'

/** What a code or a token says of the sign-in that it comes from. */
interface Source {
  accountId?: string
  sessionUid?: string
  clientId?: string
  /** The services that it is for. */
  resource?: string | string[]
}

interface Collaborators {
  db: Database
  clock: Clock
  ownerOf: OwnerOf
  resources: Pick<Resources, 'named'>
  findClaims: FindClaims
}

/** Finds who stands behind requests, codes and tokens, as of now: what has ended meanwhile, or may no longer enter, is nobody. */
export const createAccounts = ({ db, clock, ownerOf, resources, findClaims }: Collaborators) => {
  const personOf = async ({ accountId, sessionUid = '' }: Source, client: Client): Promise<Person | undefined> => {
    const owner = await db.sessions.find(sessionUid)
    try {
      const found = checkSession(owner, clock.now(), () => true)
      if (String(found.user.id) === accountId && !found.user.forcePasswordChange) return found
    } catch (error) {
      if (!isProblem(error)) throw error
      if (client.refreshTokens === 'offline' && isOutlived(owner?.session.endReason))
        return findPerson(db, Number(accountId), clock.now())
    }
    return undefined
  }

  const toAccount = (person: Person, client: Client): Account => ({
    accountId: String(person.user.id),
    claims: async (use, scope) => {
      const place = use === 'id_token' ? 'id_token' : 'userinfo'
      const claims = await findClaims(client, person, place, new Set(scope.split(' ')))
      return { sub: String(person.user.id), ...claims }
    },
  })

  const ofToken = async (source: Source, client: Client): Promise<Person | undefined> => {
    const person = await personOf(source, client)
    return person && !refusalOf(client, person, resources.named(source.resource, client)) ? person : undefined
  }

  return {
    /** Who may know what a token tells; undefined where the token is dead. */
    ofToken,

    /** For the library: by its request, or by the code or token that it has found. */
    async find(ctx: KoaContextWithOIDC, accountId: string, token?: object): Promise<Account | undefined> {
      const client = recordOf(ctx.oidc.client)
      if (!client) return undefined
      const owner = ownerOf(ctx.req)
      // Whether somebody who asks for a code may enter is told by a page: `policy.ts`.
      const person = token === undefined ? owner : await ofToken(token, client)
      return person && String(person.user.id) === accountId ? toAccount(person, client) : undefined
    },
  }
}

export type Accounts = ReturnType<typeof createAccounts>
