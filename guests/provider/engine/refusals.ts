import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

/** What the library has refused, for the operator. */
export interface Refusal {
  endpoint: string
  clientId: string | undefined
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

/** Hears what the library refuses, and where it fails itself. */
export const listen = (provider: Provider, onRefusal: (refusal: Refusal) => void): void => {
  const tell = (endpoint: Refusal['endpoint'], ctx: KoaContextWithOIDC, error: LibraryError, cause?: unknown): void => {
    const clientId = ctx.oidc.client?.clientId ?? text(ctx.oidc.params?.['client_id'])
    const said = error.error_detail ?? error.error_description ?? error.message
    const remedy = remedyOf(ctx, error)
    onRefusal({
      endpoint,
      clientId,
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
    onRefusal({ endpoint: 'the provider', clientId: undefined, error: 'server_error', detail: '', cause: error }),
  )
  provider.on('server_error', (ctx, error) => tell(ctx.oidc.route, ctx, error, error))
}
