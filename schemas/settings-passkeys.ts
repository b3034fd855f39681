import { Type } from '@sinclair/typebox'
import { nullable } from './ref.js'

const closed = { additionalProperties: false }

export const Passkeys = Type.Object(
  {
    rpId: nullable(Type.String({ minLength: 1, maxLength: 253 }), {
      default: null,
      description:
        'Domain for which passkeys are made (relying party id), such as `example.com`: the host of each origin is equal to it or below it. A passkey works for this domain only, so do not change it. `null` means the host of `publicUrl`, or `localhost` while `host` is a loopback address; with an IP address in its place there are no passkeys',
    }),
    origins: Type.Array(Type.String({ format: 'origin' }), {
      default: [],
      description:
        'Origins of the pages that may use passkeys, such as `https://console.example.com`, by `https` or on `localhost`; empty means that of `publicUrl`, or `http://localhost:PORT` while `host` is a loopback address',
    }),
  },
  { ...closed, default: {}, description: 'The web addresses of passkeys.' },
)
