import { Type } from '@sinclair/typebox'

export const Health = Type.Object({ status: Type.String({ examples: ['ok'] }) }, { $id: 'Health' })

export const JsonWebKeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String({ examples: ['EC'] }),
        crv: Type.String({ examples: ['P-256'] }),
        x: Type.String(),
        y: Type.String(),
        kid: Type.String(),
        use: Type.String({ examples: ['sig'] }),
        alg: Type.String({ examples: ['ES256'] }),
      }),
    ),
  },
  { $id: 'JsonWebKeySet', description: 'Public signing keys (RFC 7517)' },
)
