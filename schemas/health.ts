import { Type } from '@sinclair/typebox'
import { enumeratedWord } from './enumerations.js'
import { ref } from './ref.js'

export const Health = Type.Object({ status: Type.String({ examples: ['ok'] }) }, { $id: 'Health' })

export const Readiness = Type.Object(
  {
    status: Type.String({ examples: ['ok'] }),
    redis: Type.Optional(
      enumeratedWord<'ok' | 'unavailable'>('RedisStatus', {
        enum: ['ok', 'unavailable'],
        description:
          'Only with `redisUrl`. While Redis is unavailable, signing in, codes and password changes answer 503, everything else is served',
      }),
    ),
  },
  { $id: 'Readiness' },
)

export const JsonWebKey = Type.Object(
  {
    kty: Type.String({ description: '`EC`, or `RSA` for ID tokens of applications', examples: ['EC'] }),
    crv: Type.Optional(Type.String({ examples: ['P-256'] })),
    x: Type.Optional(Type.String({ examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'] })),
    y: Type.Optional(Type.String({ examples: ['x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'] })),
    n: Type.Optional(Type.String({ description: 'Of an RSA key' })),
    e: Type.Optional(Type.String({ description: 'Of an RSA key' })),
    kid: Type.String({ examples: ['2026-02-01'] }),
    use: Type.String({ examples: ['sig'] }),
    alg: Type.String({ examples: ['ES256'] }),
  },
  { $id: 'JsonWebKey', description: 'A public signing key (RFC 7517)' },
)

export const JsonWebKeySet = Type.Object(
  {
    keys: Type.Array(ref(JsonWebKey)),
  },
  { $id: 'JsonWebKeySet', description: 'Public signing keys (RFC 7517)' },
)
