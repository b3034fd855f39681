import type { FastifySchema } from 'fastify'
import { Type, type TSchema } from '@sinclair/typebox'

/** What the document says of a request whose body and answers are those of another standard. */
interface Operation {
  operationId: string
  summary: string
  description: string
  querystring?: TSchema
  /** Of a form. */
  body?: TSchema
  /** By status; without a shape nothing but headers, or a page. */
  response: Record<number, { description: string; shape?: TSchema; type?: string }>
}

export const protocolTag = {
  name: 'protocol',
  description:
    'What applications and browsers send (OpenID Connect Core 1.0, OAuth 2.0). The library of an application does: nobody calls it by hand. Answers have no envelope; refusals are those of RFC 6749',
}

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const optional = (description: string, example: string) => Type.Optional(text(description, example))

const refusal = Type.Object({
  error: text('The error, a word of the standard', 'invalid_grant'),
  error_description: optional('For whoever runs the application', 'grant request is invalid'),
})

const request = Type.Object({
  client_id: text('Id of the application', 'grafana'),
  response_type: text('Always `code`', 'code'),
  redirect_uri: text('One that is registered, letter by letter', 'https://grafana.example.com/login/generic_oauth'),
  scope: optional('What the application asks for, separated by blanks', 'openid profile email groups'),
  state: optional('Comes back with the answer', 'af0ifjsldkj'),
  nonce: optional('Comes back in the ID token', 'n-0S6_WzA2Mj'),
  code_challenge: optional(
    'SHA-256 of the verifier, base64url (RFC 7636)',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: optional('Always `S256`', 'S256'),
  prompt: optional('`none`, `login` or `consent`', 'login'),
  max_age: optional('How old the sign-in may be, in seconds', '3600'),
  acr_values: optional('`aal2` asks for a second factor', 'aal2'),
  login_hint: optional('The name that the application expects', 'alice'),
  ui_locales: optional('Language of the pages', 'en'),
  id_token_hint: optional('An ID token of before', 'eyJhbGciOi…'),
  resource: optional('Address of a service for which it wants tokens (RFC 8707)', 'https://notes.example.com/mcp'),
})

const credentials = {
  client_id: optional('Id of the application, if it is not in the header', 'grafana'),
  client_secret: optional('Its secret, if it has one and it is not in the header', '8Yd…'),
}

const authorize = {
  description:
    'Leads to the sign-in page, to the question whether the application may know the person, or back to the application with a code, which is good once and for a minute.',
  response: {
    303: {
      description:
        'Where the browser goes on: a page of Rollcall, or the application, with `code`, `state` and `iss` or with `error`',
    },
    400: { description: 'A page: it is not certain where to send the person', type: 'text/html' },
  },
}

export const operations = {
  authorize: {
    ...authorize,
    operationId: 'authorize',
    summary: 'Begin the sign-in to an application',
    querystring: request,
  },
  postAuthorize: {
    ...authorize,
    operationId: 'postAuthorize',
    summary: 'Begin the sign-in to an application, by a form',
    body: request,
  },
  token: {
    operationId: 'getApplicationTokens',
    summary: 'Get tokens for a code, a refresh token, or as a service account',
    description: 'By HTTP Basic or by `client_id` and `client_secret`; public applications send `client_id` alone.',
    body: Type.Object({
      grant_type: text('`authorization_code`, `refresh_token` or `client_credentials`', 'authorization_code'),
      ...credentials,
      code: optional('The code', '0b8c4f1e7a'),
      redirect_uri: optional('That of the request for the code', 'https://grafana.example.com/login/generic_oauth'),
      code_verifier: optional('The verifier (RFC 7636)', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
      refresh_token: optional('The refresh token', '8xLOxBtZp8'),
      scope: optional('A part of what was given', 'openid profile'),
      resource: optional('Address of a service for which it wants a token (RFC 8707)', 'https://notes.example.com/mcp'),
    }),
    response: {
      200: {
        description: 'The tokens',
        shape: Type.Object({
          access_token: text('For userinfo, or for the service that was asked for', '2YotnFZFEjr1zCsicMWpAA'),
          token_type: text('Always `Bearer`', 'Bearer'),
          expires_in: Type.Integer({ description: 'Seconds', examples: [3600], minimum: 0, maximum: 2 ** 31 - 1 }),
          scope: optional('What was given', 'openid profile'),
          id_token: optional('Who has signed in', 'eyJhbGciOi…'),
          refresh_token: optional('For new tokens', '8xLOxBtZp8'),
        }),
      },
      400: { description: 'Not this code, token, scope or service, or no longer', shape: refusal },
      401: { description: 'Not this application, or another secret', shape: refusal },
      429: { description: 'Too many wrong secrets: `Retry-After` says how long to wait', shape: refusal },
    },
  },
  userinfo: {
    operationId: 'getApplicationUserInfo',
    summary: 'What an application gets to know of the person, as of now',
    description: 'With the access token of the application as a bearer token.',
    response: {
      200: {
        description: 'The claims of the scopes that were given',
        shape: Type.Object(
          { sub: text('Id of the user', '2') },
          { additionalProperties: true, description: 'Others by scope: docs/single-sign-on.md' },
        ),
      },
      401: { description: 'The token is not valid, or its session has ended', shape: refusal },
    },
  },
  revoke: {
    operationId: 'revokeApplicationToken',
    summary: 'End a token of an application',
    description:
      'As for tokens, an application proves who it is (RFC 7009). Tokens that are unknown are answered in the same way.',
    body: Type.Object({ token: text('The access or refresh token', '8xLOxBtZp8'), ...credentials }),
    response: {
      200: { description: 'The token is not valid any more' },
      400: { description: 'The request is not valid', shape: refusal },
      401: { description: 'Not this application, or another secret', shape: refusal },
    },
  },
  logout: {
    operationId: 'endApplicationSession',
    summary: 'Sign the person out, as an application asks',
    description:
      'OpenID Connect RP-Initiated Logout 1.0. With an ID token of this very session the person is signed out at once; otherwise a page asks.',
    querystring: Type.Object({
      id_token_hint: optional('An ID token, also an expired one', 'eyJhbGciOi…'),
      client_id: optional('Id of the application', 'grafana'),
      post_logout_redirect_uri: optional(
        'One that is registered, letter by letter',
        'https://grafana.example.com/login',
      ),
      state: optional('Comes back with the answer', 'af0ifjsldkj'),
    }),
    response: {
      200: { description: 'A page that asks the person', type: 'text/html' },
      303: { description: 'Where the browser goes on' },
      400: { description: 'A page: what was sent does not belong together', type: 'text/html' },
    },
  },
} satisfies Record<string, Operation>

/** The schema and the configuration of a route, for the document: nothing of it is validated here. */
export const describe = ({ querystring, body, response, ...words }: Operation) => ({
  schema: { ...words, tags: [protocolTag.name] } as FastifySchema,
  otherStandard: {
    ...(querystring && { querystring }),
    ...(body && { body: { content: { 'application/x-www-form-urlencoded': { schema: body } } } }),
    response: Object.fromEntries(
      Object.entries(response).map(([status, { description, shape, type = 'application/json' }]) => [
        status,
        {
          description,
          ...(shape || type !== 'application/json'
            ? { content: { [type]: { schema: shape ?? Type.String() } } }
            : { type: 'null' }),
        },
      ]),
    ),
  },
})
