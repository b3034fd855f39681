import { Type } from '@sinclair/typebox'
import { nullableSetting } from './ref.js'

export const Connections = Type.Object(
  {
    inAll: nullableSetting(Type.Integer({ minimum: 1 }), {
      default: null,
      description:
        'Connections open at once; `null` means three quarters of the limit of open files (`ulimit -n`), at most 10,000',
    }),
    perAddress: Type.Integer({
      minimum: 1,
      default: 256,
      description:
        'Connections open at once from one IP address, never more than half of `inAll`; proxies in `trustProxy` are exempt',
    }),
  },
  { additionalProperties: false, default: {}, description: 'How many connections the service holds open.' },
)
