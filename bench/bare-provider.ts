import { createServer } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { answerQuestions } from './questions.js'
import { application, freePort } from './single-sign-on.js'

/** What single sign-on is compared with: the library alone with its memory adapter, one application and one person. */
const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const configuration: Configuration = {
  clients: [
    {
      ...{ client_id: application.id, client_secret: application.secret, redirect_uris: [application.redirectUri] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    },
  ],
  routes: { authorization: '/oidc/authorize', token: '/oidc/token', userinfo: '/oidc/userinfo' },
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username', 'updated_at'],
    email: ['email', 'email_verified'],
  },
  scopes: ['openid', 'profile', 'email'],
  conformIdTokenClaims: false,
  cookies: { keys: ['bench'] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  issueRefreshToken: async () => true,
  rotateRefreshToken: false,
  findAccount: async (_ctx, id) => ({
    accountId: id,
    claims: async () => ({
      sub: id,
      name: 'A person',
      preferred_username: 'person',
      updated_at: 1,
      email: 'p@app.example',
      email_verified: true,
    }),
  }),
  async loadExistingGrant({ oidc }) {
    const grantId = oidc.session?.grantIdFor(application.id)
    if (grantId !== undefined) return oidc.provider.Grant.find(grantId)
    const grant = new oidc.provider.Grant({ clientId: application.id, accountId: oidc.session?.accountId ?? '' })
    grant.addOIDCScope(application.scope)
    await grant.save()
    return grant
  },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    IdToken: 3600,
    Interaction: 3600,
    Grant: 36_000,
    Session: 36_000,
    RefreshToken: 36_000,
  },
}
const provider = new Provider(issuer, configuration)
const answer = provider.callback()
createServer((request, response) => {
  if (request.url?.startsWith('/interaction/') !== true) {
    void answer(request, response)
    return
  }
  void provider.interactionFinished(request, response, { login: { accountId: '1' } })
}).listen(port, '127.0.0.1', () => answerQuestions({}, issuer))
process.on('SIGTERM', () => process.exit(0))
