import { errors, type Client as LibraryClient, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import type { Database } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import { userTypes } from '../../../schemas/user.js'
import { findPerson, refusalOf } from '../person.js'
import type { Client } from '../repositories/clients.js'
import { wordsOf, type Resources } from '../resources.js'
import type { Resource } from '../settings.js'
import { recordOf } from './record.js'

interface Collaborators {
  resources: Resources
  db: Database
  clock: Clock
}

/** Nothing can end a signed token: it lives for a short time. Seconds. */
export const signedTtl = 600

/** The services for which the library makes signed tokens (RFC 8707, RFC 9068). */
export const createResourceServers = ({ resources, db, clock }: Collaborators) => {
  const isMachine = ({ oidc }: KoaContextWithOIDC): boolean => oidc.params?.['grant_type'] === 'client_credentials'

  /** Throws where the service account of an application may not have the token. */
  const checkMachine = async (client: Client, resource: Resource): Promise<void> => {
    const person = client.serviceAccount === null ? undefined : await findPerson(db, client.serviceAccount, clock.now())
    if (person?.user.userType !== userTypes.service)
      throw new errors.InvalidGrant('the service account of the application is not there or may not sign in')
    const refusal = refusalOf(client, person, [resource])
    if (refusal) throw new errors.InvalidGrant(`the service account may not use this: ${refusal}`)
  }

  return {
    /** Throws `invalid_target` for what is unknown, and for what is not the application's. */
    async getResourceServerInfo(
      ctx: KoaContextWithOIDC,
      identifier: string,
      { clientId }: LibraryClient,
    ): Promise<ResourceServer> {
      const client = recordOf(ctx.oidc.client)
      const resource = resources.find(identifier)
      if (client?.id !== clientId || !resource)
        throw new errors.InvalidTarget(`${identifier} is none of provider.resources`)
      if (!resources.mayUse(client, resource))
        throw new errors.InvalidTarget(`${identifier} is none of the resources of the application`)
      if (isMachine(ctx)) await checkMachine(client, resource)
      const { params, route } = ctx.oidc
      // What is not asked for by name is asked for here, so that the person is asked as well.
      if (params && (route !== 'token' || isMachine(ctx))) {
        const asked = wordsOf(params['scope'])
        const isForServices = client.isDocument === true || isMachine(ctx)
        const kept = isForServices ? asked.filter((scope) => resources.isScope(scope)) : asked
        params['scope'] = [...new Set([...kept, ...resources.scopesAt(resource, asked)])].join(' ')
      }
      return {
        audience: resource.id,
        scope: resource.scopes.join(' '),
        accessTokenFormat: 'jwt',
        accessTokenTTL: signedTtl,
        jwt: { sign: { alg: 'ES256' } },
      }
    },

    /** Throws `invalid_target` where a request has to name a service, and names none. */
    async defaultResource(
      ctx: KoaContextWithOIDC,
      _client: LibraryClient,
      oneOf?: readonly string[],
    ): Promise<string | readonly string[] | undefined> {
      if (oneOf) return oneOf
      if (isMachine(ctx) || recordOf(ctx.oidc.client)?.isDocument === true)
        throw new errors.InvalidTarget('the request names no resource')
      return undefined
    },
  }
}

export type ResourceServers = ReturnType<typeof createResourceServers>
