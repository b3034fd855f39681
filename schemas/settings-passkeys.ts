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
    origins: Type.Array(Type.String({ format: 'passkey-origin' }), {
      default: [],
      description:
        'Origins of the pages and apps that may use passkeys, such as `https://console.example.com`, by `https` or on `localhost`, and `android:apk-key-hash:…` for an Android app (SHA-256 of its certificate, base64url). Without one of a page, the pages are those of `publicUrl`, or of `http://localhost:PORT` while `host` is a loopback address',
    }),
  },
  { ...closed, default: {}, description: 'The web addresses of passkeys.' },
)
