import { randomId } from '../../../lib/random-id.js'
import type { Places } from '../forward/places.js'
import type { Client } from '../repositories/clients.js'

/** The name under which the library keeps our record with its client. */
export const recordName = 'rollcall_record'

/** Where people are sent back to. An application that knows nothing of sign-in is not asked: its proxy passes the address to us. */
const redirectUrisOf = ({ type, hosts, redirectUris }: Client, places: Places): string[] =>
  type === 'forward' ? hosts.map(places.callback) : redirectUris

/** How it proves to be itself. What knows nothing of sign-in asks for no tokens: nobody has its secret, and none is right. */
const authenticationOf = ({ type, secretHash }: Client) =>
  type !== 'forward' && secretHash === null
    ? { token_endpoint_auth_method: 'none' }
    : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secretHash ?? randomId() }

const grantTypesOf = (redirectUris: string[], { refreshTokens, serviceAccount }: Client): string[] => [
  ...(redirectUris.length > 0 ? ['authorization_code'] : []),
  ...(refreshTokens === 'none' ? [] : ['refresh_token']),
  ...(serviceAccount === null ? [] : ['client_credentials']),
]

/** A client as the library wants it (OpenID Connect Dynamic Client Registration 1.0, section 2). */
export const toMetadata = (client: Client, places: Places): Record<string, unknown> => {
  const redirectUris = redirectUrisOf(client, places)
  return {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: redirectUris,
    application_type: client.type === 'native' ? 'native' : 'web',
    grant_types: grantTypesOf(redirectUris, client),
    response_types: redirectUris.length > 0 ? ['code'] : [],
    scope: client.scopes.join(' '),
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    ...(client.backchannelLogoutUri !== null && {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    id_token_signed_response_alg: client.idTokenAlgorithm,
    ...authenticationOf(client),
    // What was refused last changes nothing of the client.
    [recordName]: { ...client, lastError: null },
  }
}
