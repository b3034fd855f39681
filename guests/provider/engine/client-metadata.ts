import type { Client } from '../repositories/clients.js'

/** The name under which the library keeps our record with its client. */
export const recordName = 'rollcall_record'

const grantTypesOf = ({ redirectUris, refreshTokens, serviceAccount }: Client): string[] => [
  ...(redirectUris.length > 0 ? ['authorization_code'] : []),
  ...(refreshTokens === 'none' ? [] : ['refresh_token']),
  ...(serviceAccount === null ? [] : ['client_credentials']),
]

/** A client as the library wants it (OpenID Connect Dynamic Client Registration 1.0, section 2). */
export const toMetadata = (client: Client): Record<string, unknown> => ({
  client_id: client.id,
  client_name: client.name,
  redirect_uris: client.redirectUris,
  application_type: client.type === 'native' ? 'native' : 'web',
  grant_types: grantTypesOf(client),
  response_types: client.redirectUris.length > 0 ? ['code'] : [],
  scope: client.scopes.join(' '),
  post_logout_redirect_uris: client.postLogoutRedirectUris,
  ...(client.backchannelLogoutUri !== null && {
    backchannel_logout_uri: client.backchannelLogoutUri,
    backchannel_logout_session_required: true,
  }),
  id_token_signed_response_alg: client.idTokenAlgorithm,
  ...(client.secretHash === null
    ? { token_endpoint_auth_method: 'none' }
    : { token_endpoint_auth_method: 'client_secret_basic', client_secret: client.secretHash }),
  // What was refused last changes nothing of the client.
  [recordName]: { ...client, lastError: null },
})
