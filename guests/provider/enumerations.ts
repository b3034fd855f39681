import { words } from '../../schemas/enumerations.js'
import type { Omission } from './clients/claims-preview.js'
import type { ClientSettings } from './clients/settings.js'

const meanings = <Word extends string>(description: string, meaningOf: Record<Word, string>) =>
  words(description, meaningOf)

/** The words in the requests and answers of applications, each with its meaning, by the names of the document. */
export const enumerations = {
  ApplicationType: meanings<ClientSettings['type']>('What an application is, and how it proves to be itself', {
    confidential: 'a server, by a secret and PKCE',
    public: 'scripts in a browser, by PKCE',
    native: 'an app on a device, by PKCE; asked for consent each time',
    forward: 'knows nothing of sign-in: a reverse proxy asks for it',
  }),
  ForwardProxy: meanings('A reverse proxy that wants answers of its own', {
    nginx: 'takes no other status than 2xx, 401 and 403',
  }),
  ConsentKind: meanings<ClientSettings['consent']>('Whether people are asked before an application gets to know them', {
    once: 'asked, and that is remembered',
    never: 'not asked: for applications of your own',
  }),
  ApplicationScope: meanings<ClientSettings['scopes'][number]>('What an application may ask for', {
    openid: 'the id of the user',
    profile: 'name, user name, picture, gender',
    email: 'the e-mail address',
    phone: 'the phone number',
    groups: 'the keys of the roles',
    tenant: 'id and name of the tenant',
  }),
  PkceKind: meanings<ClientSettings['pkce']>('Whether an application has to speak PKCE', {
    required: 'without it a request is refused',
    optional: 'for confidential applications that do not speak it',
  }),
  RefreshTokenKind: meanings<ClientSettings['refreshTokens']>('Refresh tokens of an application', {
    none: 'it gets none',
    session: 'they end with the session',
    offline: 'they outlive the sign-out',
  }),
  IdTokenAlgorithm: meanings<ClientSettings['idTokenAlgorithm']>('What signs ID tokens', {
    RS256: 'RSA, which every application reads',
    ES256: 'an elliptic curve, as access tokens',
  }),
  AuthenticationLevel: meanings<ClientSettings['minAcr']>('How well somebody has proved who it is', {
    aal1: 'by one factor',
    aal2: 'by two factors',
  }),
  ClaimOmission: meanings<Omission>('Why an application does not get a claim', {
    scope: 'it may not ask for it',
    absent: 'the account has none',
    not_verified: 'nobody has verified the contact',
    not_https: 'the picture is not at a https address',
    userinfo_only: 'it is in userinfo, and not in the ID token',
  }),
}
