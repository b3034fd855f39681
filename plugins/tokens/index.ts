import fastifyJwt, { type JWT } from '@fastify/jwt'
import fp from 'fastify-plugin'
import { createAccessTokens, signOptions, verifyOptions, type AccessTokens } from './access-tokens.js'
import { createSigningKeys, type SigningKeys } from './signing-keys.js'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: AccessTokens & { publicKeySet: SigningKeys['publicKeySet'] }
  }
}

export default fp(
  async (app) => {
    const { clock, db, encryption } = app
    const { issuer, audience } = app.installation.settings
    const signingKeys = createSigningKeys(db.signingKeys, encryption, clock)
    await signingKeys.open()
    const key = signingKeys.current()
    // A name of its own: the app that embeds Rollcall may use the same plugin, and Rollcall may be registered twice.
    const namespace = `rollcall${app.prefix}`
    await app.register(fastifyJwt, {
      namespace,
      decoratorName: namespace,
      secret: { private: key.privatePem, public: key.publicPem },
      sign: signOptions(key),
      verify: verifyOptions({ issuer, audience }),
    })
    // The plugin does not type its namespaces.
    const jwt = (app.jwt as unknown as Record<string, JWT | undefined>)[namespace]
    if (!jwt) throw new Error('@fastify/jwt has not been registered')
    app.decorate('tokens', {
      ...createAccessTokens({ jwt, defaultKey: key, signingKeys, clock, names: { issuer, audience } }),
      publicKeySet: signingKeys.publicKeySet,
    })
  },
  { name: 'tokens', dependencies: ['clock', 'config', 'database', 'encryption'] },
)
