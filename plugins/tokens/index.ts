import fp from 'fastify-plugin'
import { createAccessTokens, type AccessTokens } from './access-tokens.js'
import { createSealing, type Sealing } from './sealing.js'
import { createSigningKeys, type SigningKeys } from './signing-keys.js'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: AccessTokens & { sealing: Sealing; publicKeySet: SigningKeys['publicKeySet'] }
  }
}

export default fp(
  async (app) => {
    const { secret, settings } = app.installation
    const sealing = createSealing(secret)
    const signingKeys = createSigningKeys(app.db.signingKeys, sealing, app.clock)
    await signingKeys.open()
    app.decorate('tokens', {
      ...createAccessTokens(signingKeys, app.clock, settings),
      sealing,
      publicKeySet: signingKeys.publicKeySet,
    })
  },
  { name: 'tokens', dependencies: ['clock', 'config', 'database'] },
)
