import fastifyJwt, { type JWT } from '@fastify/jwt'
import fp from 'fastify-plugin'
import type { SigningAlgorithm, StoredSigningKey } from '../../../db/repositories/signing-keys.js'
import { repeat } from '../../../lib/repeat.js'
import { createAccessTokens, signOptions, verifyOptions, type AccessTokens } from './access-tokens.js'
import { createKeyLifetimes, createKeyRotation, type KeyRotation } from './key-rotation.js'
import { createSigningKeys, generateKey, type SigningKeys } from './signing-keys.js'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: AccessTokens & {
      publicKeySet: SigningKeys['publicKeySet']
      rotation: KeyRotation
      /** For a guest that signs other tokens: the keys of all algorithms, which are published together. */
      signers: {
        /** The latest active one first. The list is another one after a change. */
        every: SigningKeys['every']
        /** Adds the first key of an algorithm. */
        need: (algorithm: SigningAlgorithm) => Promise<void>
      }
    }
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
    const addFirst = (first: StoredSigningKey) =>
      db.transaction(async ({ signingKeys: stored }) => {
        if ((await stored.list()).every(({ algorithm }) => algorithm !== first.algorithm)) await stored.add(first)
      })
    await signingKeys.open('ES256', addFirst)
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
        generate: (algorithm, activeTime) => generateKey(encryption, algorithm, clock.now(), activeTime),
      }),
      signers: { every: signingKeys.every, need: (algorithm) => signingKeys.open(algorithm, addFirst) },
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
