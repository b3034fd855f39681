import { Type } from '@sinclair/typebox'
import { nullableSetting } from './ref.js'

export const Connections = Type.Object(
  {
    inAll: nullableSetting(Type.Integer({ minimum: 1 }), {
      default: null,
      description: 'Connections open at once; null means three quarters of the descriptor limit, 10000 at most',
    }),
    perAddress: Type.Integer({
      minimum: 1,
      default: 256,
      description: 'Connections of one address open at once, half of all at most; proxies of trustProxy are exempt',
    }),
  },
  { additionalProperties: false, default: {} },
)
