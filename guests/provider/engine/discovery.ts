import discovery from 'oidc-provider/lib/actions/discovery.js'
import type { Provider } from 'oidc-provider'

/** The metadata of the library (OpenID Connect Discovery 1.0, section 3), with addresses below `base`. */
export const metadataOf = (provider: Provider, base: string): Record<string, unknown> => {
  const ctx: { oidc: object; body?: Record<string, unknown> } = {
    oidc: {
      provider,
      issuer: provider.issuer,
      urlFor: (name: string) => base + provider.pathFor(name, { mountPath: '' }),
    },
  }
  discovery(ctx)
  return Object.fromEntries(Object.entries(ctx.body ?? {}).filter(([, value]) => value !== undefined))
}
