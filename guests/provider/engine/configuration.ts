import { errors, type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import type { Settings } from '../../../schemas/settings.js'
import { claimsOfScopes } from '../claims.js'
import { scopes } from '../clients/settings.js'
import { createAdapters, type Storage } from './adapter.js'
import type { Accounts } from './accounts.js'
import { otherParameter } from '../forward/way-in.js'
import type { Documents } from './documents.js'
import type { LoadGrant } from './load-grant.js'
import { createPolicy } from './policy.js'
import { recordName } from './client-metadata.js'
import { recordOf } from './record.js'
import type { OwnerOf } from './request-owner.js'
import type { Resources } from '../resources.js'
import { signedTtl, type ResourceServers } from './resources.js'

interface Parts {
  settings: Settings['provider']
  storage: Storage
  accounts: Accounts
  loadGrant: LoadGrant
  resources: Resources
  resourceServers: ResourceServers
  documents: Pick<Documents, 'isListed'>
  ownerOf: OwnerOf
  /** Of the installation and the scheme: browsers send cookies of one host to all its ports. */
  cookieName: (name: string) => string
  isEncrypted: boolean
  interactionUrl: (uid: string) => string
  renderError: (ctx: KoaContextWithOIDC, out: { error: string; error_description?: string }, error: unknown) => void
  keys: Record<string, unknown>[]
  /** Sends logout tokens, and reads documents. */
  fetch: (url: string | URL, options: RequestInit) => Promise<Response>
}

const hour = 3600
/** Characters of all parameters of a request together: each waits in the database until somebody has signed in. */
const maxParameters = 8192
const off = { enabled: false } as const
const on = { enabled: true }

/** How the library is set up: what it asks of us, and what of it is switched off. */
export const createConfiguration = ({ settings, storage, accounts, ownerOf, ...parts }: Parts): Configuration => ({
  adapter: createAdapters(storage),
  jwks: { keys: parts.keys },
  routes: {
    authorization: '/oidc/authorize',
    token: '/oidc/token',
    userinfo: '/oidc/userinfo',
    revocation: '/oidc/revoke',
    end_session: '/oidc/logout',
    jwks: '/.well-known/jwks.json',
  },
  features: {
    devInteractions: off,
    introspection: off,
    deviceFlow: off,
    pushedAuthorizationRequests: off,
    claimsParameter: off,
    requestObjects: off,
    dPoP: off,
    resourceIndicators: { enabled: settings.resources.length > 0, ...parts.resourceServers },
    clientCredentials: { enabled: settings.resources.length > 0 },
    clientIdMetadataDocument: {
      enabled: settings.clientDocuments.length > 0,
      ack: 'draft-02',
      allowFetch: async (_ctx, id) => parts.documents.isListed(id),
      // One that is no longer listed is refused, though it is remembered.
      allowClient: async (_ctx, { clientId }) => parts.documents.isListed(clientId),
      cacheDuration: { min: 300, max: 300 },
    },
    // For the metadata: `routes/logout.ts` answers.
    rpInitiatedLogout: on,
    backchannelLogout: on,
    revocation: {
      ...on,
      // An application ends its own tokens only (RFC 7009 2.1).
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    userinfo: on,
  },
  responseTypes: ['code'],
  // OpenID Connect Core 1.0, 3.1.2.1: by GET and by POST.
  enableHttpPostMethods: true,
  scopes: [...scopes],
  claims: {
    openid: ['sub', 'auth_time', 'acr', 'amr'],
    ...Object.fromEntries(Object.entries(claimsOfScopes).map(([scope, claims]) => [scope, [...claims]])),
    sid: null,
    iss: null,
  },
  acrValues: ['aal1', 'aal2'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
  formats: {
    customizers: {
      // By client credentials it would be the application, which is no account.
      jwt(_ctx, token, { payload }) {
        if (token.kind === 'ClientCredentials') payload['sub'] = String(recordOf(token.client)?.serviceAccount)
      },
    },
  },
  extraClientMetadata: { properties: [recordName] },
  conformIdTokenClaims: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  clockTolerance: 15,
  cookies: {
    names: {
      session: parts.cookieName('session'),
      interaction: parts.cookieName('interaction'),
      resume: parts.cookieName('resume'),
    },
    // Their names are random and cannot be guessed: there is nothing to sign.
    keys: [],
    // That of its session, which no browser gets: ours is kept back from requests that other sites post, and is there at the next step.
    long: { signed: false, httpOnly: true, sameSite: 'none', secure: parts.isEncrypted, overwrite: true },
    short: { signed: false, httpOnly: true, sameSite: 'lax', secure: parts.isEncrypted, overwrite: true },
  },
  // Asked once the address of the application is known to be its own, which then gets the answer.
  extraParams: {
    [otherParameter]: null,
    state: (ctx) => {
      if (JSON.stringify(ctx.oidc.params).length > maxParameters)
        throw new errors.InvalidRequest(`the parameters have more than ${maxParameters} characters together`)
    },
  },
  pkce: {
    required(_ctx, client) {
      const { pkce, type } = recordOf(client) ?? {}
      // The code for a protected host is used by Rollcall itself: `way-in.ts`.
      return pkce !== 'optional' && type !== 'forward'
    },
  },
  // Sessions and what depends on them are looked up where an account is: `accounts.find`.
  expiresWithSession: async () => false,
  fetch: async (url, options) => parts.fetch(url as string | URL, options ?? {}),
  findAccount: (ctx, id, token) => accounts.find(ctx, id, token),
  loadExistingGrant: parts.loadGrant,
  issueRefreshToken: async (_ctx, client) => (recordOf(client)?.refreshTokens ?? 'none') !== 'none',
  // RFC 9700 4.14.2: an application without a secret proves by each new token that it is still the one.
  rotateRefreshToken: ({ oidc: { client } }) => client?.clientAuthMethod === 'none',
  clientBasedCORS: (_ctx, origin, client) =>
    client.clientAuthMethod === 'none' &&
    (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
  interactions: {
    policy: createPolicy(ownerOf, parts.resources),
    url: (_ctx, interaction) => parts.interactionUrl(interaction.uid),
  },
  renderError: async (ctx, out, error) => parts.renderError(ctx, out, error),
  ttl: {
    AccessToken: (_ctx, token) => (token.resourceServer ? signedTtl : settings.accessTtl),
    ClientCredentials: signedTtl,
    AuthorizationCode: 60,
    IdToken: hour,
    Interaction: hour,
    Grant: settings.offlineMaxTtl,
    Session: hour,
    RefreshToken: (_ctx, token) =>
      Math.max(1, Math.min(settings.offlineTtl, settings.offlineMaxTtl - token.totalLifetime())),
  },
})
