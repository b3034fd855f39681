import { createHash, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Clock } from '../../../lib/clock.js'
import { redirectUri } from './openid-provider.js'
import { es256, makeToken } from '../service/token.js'

export type Part = Record<string, unknown>
export type Place = 'discovery' | 'token' | 'keys' | 'person'

/** What the provider knows of itself; a fault may use all of it. */
export interface Self {
  issuer: string
  clientId: string
  clientSecret: string
  key: KeyObject
  publicKey: KeyObject
}

/** Takes an answer over from the provider; `body` is what was sent to it. */
export type Takeover = (request: IncomingMessage, response: ServerResponse, self: Self, body: URLSearchParams) => void

/** Where the provider differs from an honest one; nothing given, it is honest. */
export interface Fault {
  metadata?: (honest: Part, self: Self) => Part
  keys?: (honest: Part[], self: Self) => Part[]
  header?: (honest: Part, self: Self) => Part
  claims?: (honest: Part, self: Self) => Part
  signer?: (self: Self) => (bytes: Buffer) => Buffer | string
  tokens?: (honest: Part) => Part
  person?: (honest: Part) => Part
  take?: Partial<Record<Place, Takeover>>
}

interface Grant {
  redirectUri: string
  challenge: string
  nonce: string
  subject: string
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The real time, epoch seconds. */
export const now = () => Math.floor(Date.now() / 1000)

const sha256 = (data: string) => createHash('sha256').update(data).digest('base64url')

/**
 * The hostile twin of an OpenID provider on loopback. It demands of its client what an honest one does (code once,
 * redirect address, secret, PKCE verifier) and lies where `fault` says so.
 */
export const startHostileProvider = async (
  t: Test,
  fault: Fault = {},
  platform = 'corporate',
  clock: Clock = { now: Date.now },
) => {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clientId = 'rollcall'
  const clientSecret = `${randomBytes(9).toString('hex')}-client-secret-of-${platform}`
  const grants = new Map<string, Grant>()
  /** Everything that must never be seen outside. */
  const secrets = new Set([clientSecret])
  const received: { method: string; url: string; body: URLSearchParams }[] = []
  const secret = (text: string) => {
    secrets.add(text)
    return text
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const self: Self = { issuer, clientId, clientSecret, key, publicKey }

  const redeem = (request: IncomingMessage, body: URLSearchParams): Part | undefined => {
    const grant = grants.get(body.get('code') ?? '')
    grants.delete(body.get('code') ?? '')
    const { authorization = '' } = request.headers
    const basic = Buffer.from(secret(authorization.replace(/^Basic /, '')), 'base64').toString()
    const isHonoured =
      grant !== undefined &&
      decodeURIComponent(basic) === `${clientId}:${clientSecret}` &&
      body.get('grant_type') === 'authorization_code' &&
      body.get('redirect_uri') === grant.redirectUri &&
      sha256(body.get('code_verifier') ?? '') === grant.challenge
    if (!isHonoured) return undefined
    const { subject, nonce } = grant
    const iat = Math.floor(clock.now() / 1000)
    const claims = { iss: issuer, aud: clientId, sub: subject, exp: iat + 600, iat, nonce }
    const header = { alg: 'ES256', kid: 'one' }
    const idToken = makeToken(
      fault.header?.(header, self) ?? header,
      fault.claims?.({ ...claims, preferred_username: subject }, self) ?? { ...claims, preferred_username: subject },
      fault.signer?.(self) ?? es256(key),
    )
    const access_token = secret(`${randomBytes(12).toString('hex')}-access-token`)
    return { access_token, token_type: 'Bearer', expires_in: 600, id_token: secret(idToken) }
  }

  const places: Record<Place, (request: IncomingMessage, response: ServerResponse, body: URLSearchParams) => void> = {
    discovery(_request, response) {
      const honest = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/person`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      }
      sendJson(response, 200, fault.metadata?.(honest, self) ?? honest)
    },
    token(request, response, body) {
      const honest = redeem(request, body)
      if (honest) sendJson(response, 200, fault.tokens?.(honest) ?? honest)
      else sendJson(response, 400, { error: 'invalid_grant' })
    },
    keys(_request, response) {
      const honest = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }]
      sendJson(response, 200, { keys: fault.keys?.(honest, self) ?? honest })
    },
    person(_request, response) {
      const honest = { sub: 'alice', preferred_username: 'alice' }
      sendJson(response, 200, fault.person?.(honest) ?? honest)
    },
  }
  const paths: Record<string, Place> = {
    '/.well-known/openid-configuration': 'discovery',
    '/token': 'token',
    '/keys': 'keys',
    '/person': 'person',
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = new URLSearchParams(await text(request))
    received.push({ method: request.method ?? '', url: request.url ?? '', body })
    const place = paths[request.url ?? '']
    const verifier = body.get('code_verifier')
    if (verifier !== null) secret(verifier)
    const takeover = place && fault.take?.[place]
    if (!place) sendJson(response, 404, {})
    else if (takeover) takeover(request, response, self, body)
    else places[place](request, response, body)
  }

  t.teardown(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })

  return {
    ...self,
    secrets,
    received,
    settings: { platform, kind: 'oidc', issuer, clientId, clientSecret, redirectUris: [redirectUri] },
    /** What the browser comes back with when `subject` has signed in. */
    visit(authUrl: string, subject = 'alice'): { code: string; state: string } {
      const query = new URL(authUrl).searchParams
      const read = (name: string) => query.get(name) ?? ''
      const code = secret(`${randomBytes(12).toString('hex')}-code`)
      grants.set(code, {
        redirectUri: read('redirect_uri'),
        challenge: read('code_challenge'),
        nonce: read('nonce'),
        subject,
      })
      return { code, state: read('state') }
    },
  }
}

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>
