import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Client } from '../repositories/clients.js'
import { recordOf } from './record.js'

/** What the library tells of its work. */
export interface Listeners {
  onRefusal: (refusal: Refusal) => void
  /** An application has got a code. The library answers when this has resolved. */
  onAuthorization: (request: IncomingMessage, client: Client) => Promise<void>
  /** An application has got tokens, for a code or a refresh token. */
  onTokens: (clientId: string, grant: string) => void
}

/** What the library has refused, for the operator. */
export interface Refusal {
  endpoint: string
  clientId: string | undefined
  /** Whether there is such an application: anybody can send any id. */
  isKnown: boolean
  error: string
  /** What was wrong, and where it can be told what to do. */
  detail: string
  /** An error of our own, not of who asks. */
  cause?: unknown
}

interface LibraryError extends Error {
  error?: string
  error_description?: string
  error_detail?: string
}

const endpoints = {
  'authorization.error': 'authorize',
  'grant.error': 'token',
  'userinfo.error': 'userinfo',
  'revocation.error': 'revoke',
} as const

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** What an operator has to know beside the words of the library. */
const remedyOf = (
  { oidc }: KoaContextWithOIDC,
  { error, message, error_detail: detail = '' }: LibraryError,
): string => {
  const { params } = oidc
  const received = text(params?.['redirect_uri'])
  if (message === 'invalid_redirect_uri' || error === 'invalid_redirect_uri')
    return `the address it sent is ${received ?? 'absent'}; registered are ${(oidc.client?.redirectUris ?? []).join(', ')}`
  if (detail.includes('PKCE')) return 'an application that does not speak PKCE needs pkce: optional'
  return ''
}

/** Hears what the library answers and refuses, and where it fails itself. */
export const listen = (provider: Provider, { onRefusal, onAuthorization, onTokens }: Listeners): void => {
  const tell = (endpoint: Refusal['endpoint'], ctx: KoaContextWithOIDC, error: LibraryError, cause?: unknown): void => {
    const known = ctx.oidc.client?.clientId
    const clientId = known ?? text(ctx.oidc.params?.['client_id'])
    const said = error.error_detail ?? error.error_description ?? error.message
    const remedy = remedyOf(ctx, error)
    onRefusal({
      endpoint,
      clientId,
      isKnown: known !== undefined,
      error: error.error ?? error.message,
      detail: remedy === '' ? said : `${said}: ${remedy}`,
      ...(cause !== undefined && { cause }),
    })
  }
  for (const [event, endpoint] of Object.entries(endpoints))
    provider.on(event as 'grant.error', (ctx, error) => tell(endpoint, ctx, error))
  // What goes wrong before and after its own handling of errors.
  const emitter: EventEmitter = provider
  emitter.on('error', (error: unknown) =>
    onRefusal({
      endpoint: 'the provider',
      clientId: undefined,
      isKnown: false,
      error: 'server_error',
      detail: '',
      cause: error,
    }),
  )
  provider.on('server_error', (ctx, error) => tell(ctx.oidc.route, ctx, error, error))
  const authorized = new WeakMap<IncomingMessage, Client>()
  provider.on('authorization.success', ({ req, oidc }) => {
    const client = recordOf(oidc.client)
    if (client) authorized.set(req, client)
  })
  provider.use(async ({ req }, next) => {
    await next()
    const client = authorized.get(req)
    if (client) await onAuthorization(req, client)
  })
  provider.on('grant.success', ({ oidc }) => {
    const { client, params } = oidc
    if (client) onTokens(client.clientId, text(params?.['grant_type']) ?? '')
  })
}
