import { Type } from '@sinclair/typebox'
import { nullable } from './ref.js'

export const Connections = Type.Object(
  {
    inAll: nullable(Type.Integer({ minimum: 1 }), {
      default: null,
      description:
        'Maximum number of open connections; `null` means three quarters of the limit of open files (`ulimit -n`), at most 10,000',
    }),
    perAddress: Type.Integer({
      minimum: 1,
      default: 256,
      description:
        'Maximum number of open connections from one IP address, never more than half of `inAll`; not applied to proxies in `trustProxy`',
    }),
  },
  { additionalProperties: false, default: {}, description: 'Limits of open connections.' },
)
