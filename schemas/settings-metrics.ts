import { Type } from '@sinclair/typebox'
import { nullable } from './ref.js'

export const Metrics = Type.Object(
  {
    port: nullable(Type.Integer({ minimum: 0, maximum: 65535 }), {
      default: null,
      description: 'Port of its own on which `GET /metrics` answers; 0 picks a free one, `null` means none',
    }),
    host: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address of that port' }),
    token: nullable(Type.String({ minLength: 32 }), {
      default: null,
      description:
        'Bearer token, at least 32 characters, for `GET /metrics` of the service itself; `null` means that the service has no such endpoint. If it is set, the port of its own asks for it, too',
    }),
  },
  { additionalProperties: false, default: {}, description: 'Metrics for Prometheus; see metrics.md.' },
)
