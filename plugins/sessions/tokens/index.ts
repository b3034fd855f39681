import fastifyJwt, { type JWT } from '@fastify/jwt'
import fp from 'fastify-plugin'
import { repeat } from '../../../lib/repeat.js'
import { createAccessTokens, signOptions, verifyOptions, type AccessTokens } from './access-tokens.js'
import { createKeyLifetimes, createKeyRotation, type KeyRotation } from './key-rotation.js'
import { createSigningKeys, generateKey, type SigningKeys } from './signing-keys.js'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: AccessTokens & { publicKeySet: SigningKeys['publicKeySet']; rotation: KeyRotation }
  }
}

/** Milliseconds after which a server has seen that a key was added or revoked. */
const refreshInterval = 2000

export default fp<{ answering: boolean }>(
  async (app, { answering }) => {
    const { clock, db, encryption } = app
    const { issuer, audience, clients, keys } = app.installation.settings
    const lifetimes = createKeyLifetimes(clients)
    const signingKeys = createSigningKeys(db.signingKeys, encryption, clock, lifetimes)
    await signingKeys.open((first) =>
      db.transaction(async ({ signingKeys: stored }) => {
        if ((await stored.list()).length === 0) await stored.add(first)
      }),
    )
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
      rotation: createKeyRotation({
        audit: app.audit,
        db,
        clock,
        lifetimes,
        rotateAfterDays: keys.rotateAfterDays,
        generate: (activeTime) => generateKey(encryption, clock.now(), activeTime),
      }),
    })
    if (!answering) return
    const { close } = repeat(() => signingKeys.refresh(), {
      pause: refreshInterval,
      failed: (error) => app.log.error({ err: error }, 'the signing keys could not be read'),
    })
    app.addHook('onClose', close)
  },
  { name: 'sessions/tokens' },
)
