/** What is known of an application that many people run. Paths are below the address at which it is opened. */
export interface KnownApplication {
  name: string
  redirectPaths: readonly string[]
  /** Where people may be sent after a sign-out. */
  postLogoutPath?: string
  /** It does not speak PKCE, or only where it is switched on. */
  pkce?: 'optional'
  refreshTokens?: 'session' | 'offline'
}

/**
 * By the words of `--for`, as the documents of these applications have it; whole-applications.long.test.ts runs `actual` and `node-red`. Where
 * an application names its sign-in methods, the method is called `rollcall`.
 */
export const knownApplications = {
  actual: { name: 'Actual Budget', redirectPaths: ['openid/callback'] },
  argocd: { name: 'Argo CD', redirectPaths: ['auth/callback'], pkce: 'optional' },
  bookstack: { name: 'BookStack', redirectPaths: ['oidc/callback'] },
  forgejo: { name: 'Forgejo', redirectPaths: ['user/oauth2/rollcall/callback'] },
  gitea: { name: 'Gitea', redirectPaths: ['user/oauth2/rollcall/callback'], pkce: 'optional' },
  gitlab: { name: 'GitLab', redirectPaths: ['users/auth/openid_connect/callback'] },
  grafana: {
    name: 'Grafana',
    redirectPaths: ['login/generic_oauth'],
    postLogoutPath: 'login',
    refreshTokens: 'session',
  },
  harbor: { name: 'Harbor', redirectPaths: ['c/oidc/callback'], pkce: 'optional', refreshTokens: 'offline' },
  hedgedoc: { name: 'HedgeDoc', redirectPaths: ['auth/oauth2/callback'], pkce: 'optional' },
  immich: { name: 'Immich', redirectPaths: ['auth/login', 'user-settings', 'api/oauth/mobile-redirect'] },
  jellyfin: { name: 'Jellyfin', redirectPaths: ['sso/OID/redirect/rollcall'] },
  mastodon: { name: 'Mastodon', redirectPaths: ['auth/auth/openid_connect/callback'], pkce: 'optional' },
  mealie: { name: 'Mealie', redirectPaths: ['login'] },
  miniflux: { name: 'Miniflux', redirectPaths: ['oauth2/oidc/callback'], pkce: 'optional' },
  nextcloud: { name: 'Nextcloud', redirectPaths: ['apps/user_oidc/code'] },
  'node-red': { name: 'Node-RED', redirectPaths: ['auth/strategy/callback/'], pkce: 'optional' },
  'oauth2-proxy': {
    name: 'OAuth2 Proxy',
    redirectPaths: ['oauth2/callback'],
    pkce: 'optional',
    refreshTokens: 'session',
  },
  'open-webui': { name: 'Open WebUI', redirectPaths: ['oauth/oidc/callback'] },
  outline: { name: 'Outline', redirectPaths: ['auth/oidc.callback'], pkce: 'optional', refreshTokens: 'session' },
  paperless: { name: 'Paperless-ngx', redirectPaths: ['accounts/oidc/rollcall/login/callback/'] },
  portainer: { name: 'Portainer', redirectPaths: [''], pkce: 'optional' },
  proxmox: { name: 'Proxmox VE', redirectPaths: [''] },
  vaultwarden: { name: 'Vaultwarden', redirectPaths: ['identity/connect/oidc-signin'], refreshTokens: 'offline' },
  vikunja: { name: 'Vikunja', redirectPaths: ['auth/openid/rollcall'], pkce: 'optional' },
} as const satisfies Record<string, KnownApplication>

export type KnownName = keyof typeof knownApplications
export const knownNames = Object.keys(knownApplications) as KnownName[]

/** Its settings, for the address at which people open it. Throws for a text that is no address. */
export const settingsOfKnown = (known: KnownApplication, url: string) => {
  const { name, redirectPaths, postLogoutPath, pkce, refreshTokens } = known
  const home = new URL(url.endsWith('/') ? url : `${url}/`)
  // Without a path these applications name their address without a slash.
  const at = (path: string): string => (path === '' ? home.href.replace(/\/$/, '') : new URL(path, home).href)
  return {
    name,
    homeUrl: home.href,
    redirectUris: redirectPaths.map(at),
    ...(postLogoutPath !== undefined && { postLogoutRedirectUris: [at(postLogoutPath)] }),
    ...(pkce && { pkce }),
    ...(refreshTokens && { refreshTokens }),
  }
}
