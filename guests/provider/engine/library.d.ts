declare module 'oidc-provider/lib/actions/discovery.js' {
  /** Puts the metadata into `body`. */
  export default function discovery(ctx: { oidc: object; body?: Record<string, unknown> }): void
}
