import { Type, type Static, type TObject } from '@sinclair/typebox'
import { jsonReader } from '../../../../lib/json-reader.js'

/** Bytes. That of a common authenticator has less than two thousand. */
const maxLength = 16 * 1024

/** A credential id has at most 1,023 bytes (WebAuthn 5.8.3 says how it is written). */
const credentialId = Type.String({ minLength: 1, maxLength: 1364, pattern: '^[A-Za-z0-9_-]+$' })
const bytes = Type.String({ minLength: 1, pattern: '^[A-Za-z0-9_-]+$' })

/** A `PublicKeyCredential` as JSON (WebAuthn 5.1); what is not read may be there, too. */
const credentialOf = <Response extends TObject>(response: Response) =>
  Type.Object({
    id: credentialId,
    rawId: credentialId,
    type: Type.Literal('public-key'),
    response,
    clientExtensionResults: Type.Optional(
      Type.Object({ credProps: Type.Optional(Type.Object({ rk: Type.Optional(Type.Boolean()) })) }),
    ),
  })

const Registration = credentialOf(
  Type.Object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 })),
  }),
)
export type RegistrationCredential = Static<typeof Registration>

const Assertion = credentialOf(
  Type.Object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
)
export type AssertionCredential = Static<typeof Assertion>

const ClientData = Type.Object({
  type: Type.String(),
  challenge: Type.String(),
  origin: Type.String(),
  crossOrigin: Type.Optional(Type.Boolean()),
})
export type ClientData = Static<typeof ClientData>

const readRegistrationText = jsonReader(Registration)
const readAssertionText = jsonReader(Assertion)
const readClientDataText = jsonReader(ClientData)

/** The `credential` of a request as JSON text: it is an object, or such text from a form. Undefined when it is too long. */
const textOf = (credential: unknown): string | undefined => {
  const text = typeof credential === 'string' ? credential : (JSON.stringify(credential) as string | undefined)
  return text === undefined || Buffer.byteLength(text) > maxLength ? undefined : text
}

/** All return undefined for what has another shape. */
export const readRegistration = (credential: unknown): RegistrationCredential | undefined =>
  readRegistrationText(textOf(credential) ?? '')

export const readAssertion = (credential: unknown): AssertionCredential | undefined =>
  readAssertionText(textOf(credential) ?? '')

export const readClientData = (clientDataJSON: string): ClientData | undefined =>
  readClientDataText(Buffer.from(clientDataJSON, 'base64url').toString())
