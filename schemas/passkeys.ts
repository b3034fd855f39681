import { Type, type Static } from '@sinclair/typebox'
import { accountPassword, contactProof, factorName, setupTicket } from './factors.js'
import { assertionExample, credential, passkeyCredential, ticketExample, pageCookieField } from './login.js'
import { int32, ref } from './ref.js'

const base64url = (description: string) =>
  Type.String({ description: `${description}, base64url`, examples: ['bTNZazBkNHhRa3ExeDJiM2M0ZDVlZw'] })

const Descriptor = Type.Object(
  {
    id: base64url('Id of the credential'),
    type: Type.String({ examples: ['public-key'] }),
    transports: Type.Optional(Type.Array(Type.String(), { examples: [['internal', 'hybrid']] })),
  },
  { $id: 'PasskeyDescriptor', description: 'A passkey that exists' },
)
export { Descriptor as PasskeyDescriptor }

const timeout = int32({ description: 'Milliseconds', examples: [300000] })
const userVerification = Type.String({ description: '`required` or `preferred`', examples: ['required'] })

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn 5.5). */
export const PasskeyRequestOptions = Type.Object(
  {
    challenge: base64url('To be signed'),
    rpId: Type.String({ examples: ['example.com'] }),
    allowCredentials: Type.Array(ref(Descriptor), { description: 'Empty for strangers' }),
    userVerification,
    timeout,
  },
  { $id: 'PasskeyRequestOptions', description: '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn' },
)
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn 5.4). */
export const PasskeyCreationOptions = Type.Object(
  {
    challenge: base64url('To be signed'),
    rp: Type.Object({ id: Type.String({ examples: ['example.com'] }), name: Type.String({ examples: ['Rollcall'] }) }),
    user: Type.Object({
      id: base64url('User handle: random bytes'),
      name: Type.String({ examples: ['alice'] }),
      displayName: Type.String({ examples: ['Alice'] }),
    }),
    pubKeyCredParams: Type.Array(
      Type.Object({ alg: int32({ examples: [-7] }), type: Type.String({ examples: ['public-key'] }) }),
    ),
    timeout,
    attestation: Type.String({ examples: ['none'] }),
    excludeCredentials: Type.Array(ref(Descriptor), { description: 'The passkeys of the account' }),
    authenticatorSelection: Type.Object({
      residentKey: Type.String({ examples: ['preferred'] }),
      requireResidentKey: Type.Boolean({ examples: [false] }),
      userVerification,
    }),
    extensions: Type.Object({ credProps: Type.Boolean({ examples: [true] }) }),
    hints: Type.Array(Type.String(), { description: 'None: any authenticator will do', examples: [[]] }),
  },
  { $id: 'PasskeyCreationOptions', description: '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn' },
)
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>

export const PasskeyOptionsRequest = Type.Object(
  {
    ticket: Type.Optional(credential('Ticket of the answer 403 `second_factor_required`', ticketExample)),
  },
  { $id: 'PasskeyOptionsRequest', examples: [{}] },
)

export const BeginPasskeyRequest = Type.Object(
  { ticket: setupTicket, password: accountPassword, ...contactProof },
  { $id: 'BeginPasskeyRequest', examples: [{}] },
)
export type BeginPasskeyRequest = Static<typeof BeginPasskeyRequest>

const registrationExample = {
  ...assertionExample,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdl', attestationObject: 'o2NmbXRkbm9uZQ' },
}

export const RegisterPasskeyRequest = Type.Object(
  {
    credential: passkeyCredential('What the browser has made', registrationExample),
    name: Type.Optional(factorName),
    ticket: setupTicket,
    ...contactProof,
    cookie: pageCookieField,
  },
  { $id: 'RegisterPasskeyRequest' },
)
export type RegisterPasskeyRequest = Static<typeof RegisterPasskeyRequest>
