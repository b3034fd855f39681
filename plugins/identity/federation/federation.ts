import { defaultClient, defaultTenantId, type SocialPlatform, type UserClient } from '../../../schemas/login.js'
import type { AuthUrl, AuthUrlQuery, SocialCallbackRequest, SocialTicket } from '../../../schemas/social.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { cleanCopied } from '../../../lib/copied-text.js'
import type { ProviderKind, ProviderSettings } from '../../../schemas/settings-federation.js'
import type { AuthorizationRequests, Browser, SignInTarget, ReturnedState } from './authorization-requests.js'
import type { Callback, VerifiedIdentity, Provider } from './provider.js'
import type { PlatformIdentity, Tickets } from './tickets.js'

const kindNames: Record<ProviderKind, string | null> = {
  oidc: null,
  github: 'GitHub',
  gitee: 'Gitee',
  wechat: 'WeChat',
  wechatMiniProgram: 'WeChat',
}

/** The display name of a provider. */
const nameOf = ({ name, kind, platform }: ProviderSettings): string => name ?? kindNames[kind] ?? platform

interface Collaborators {
  providers: Provider[]
  authorizationRequests: AuthorizationRequests
  tickets: Tickets
}

const targetOf = ({ tenantId, userClient }: { tenantId?: number; userClient?: UserClient }): SignInTarget => ({
  tenantId: tenantId ?? defaultTenantId,
  userClient: userClient ?? defaultClient,
})

/** Up to 255 characters without control characters, the limit of a subject (OpenID Connect Core 2). */
const isShortText = (text: unknown): text is string => typeof text === 'string' && /^\P{Cc}{1,255}$/u.test(text)

/** Checks the identity that a provider returned. Throws `invalid_grant`. */
const toPlatformIdentity = (platform: string, identity: VerifiedIdentity): PlatformIdentity => {
  const { issuer, subject, displayName, isTwoFactors = false } = identity
  if (!isShortText(subject)) {
    throw problem('invalid_grant', { cause: new Error(`${platform}: the subject is not 1 to 255 characters`) })
  }
  const name = isShortText(displayName) ? cleanCopied(displayName) : ''
  return { issuer, subject, displayName: name === '' ? null : name, platform, isTwoFactors }
}

const isOpenTo = ({ settings }: Provider, tenantId: number) =>
  settings.tenants.length === 0 || settings.tenants.includes(tenantId)

/** The `action` of a request whose identity is to be linked, not signed in with. */
const bindAction = 'bind'

/** Sign-in at identity providers: starts authorization requests and exchanges codes for verified identities. */
export const createFederation = ({ providers, authorizationRequests, tickets }: Collaborators) => {
  /** Providers of a tenant that have a sign-in page. */
  const providersWithPage = (tenantId: number) =>
    providers.filter((provider) => provider.authorizationUrl !== undefined && isOpenTo(provider, tenantId))

  const findRedirectUri = ({ settings }: Provider, requested: string | undefined): string => {
    const [defaultUri = ''] = settings.redirectUris
    // Exact string comparison (RFC 9700 2.1): looser matching has led to attacks.
    if (requested !== undefined && !settings.redirectUris.includes(requested))
      throw invalidField('redirectUri', 'redirect_uri')
    return requested ?? defaultUri
  }

  const exchange = async ({ code, iss, ...back }: Callback & ReturnedState, target: SignInTarget, browser: Browser) => {
    const request = await authorizationRequests.take(back, target, browser)
    const provider = providersWithPage(target.tenantId).find(({ settings }) => settings.platform === request.platform)
    if (!provider) throw problem('invalid_grant')
    const identity = toPlatformIdentity(request.platform, await provider.exchangeCode({ code, iss }, request))
    return { identity, session: request.session }
  }

  return {
    isConfigured: providers.length > 0,

    /** The platforms that a sign-in page of the tenant can offer. */
    platforms: (tenantId: number = defaultTenantId): SocialPlatform[] =>
      providersWithPage(tenantId).map(({ settings }) => ({
        platform: settings.platform,
        platformName: nameOf(settings),
        platformLogo: settings.logo,
        enabled: true,
      })),

    /**
     * Whether an identity can sign in: its provider is configured, open to the tenant and has the same issuer as before.
     */
    canSignIn: ({ platform, issuer, tenantId }: { platform: string; issuer: string; tenantId: number }): boolean =>
      providers.some(
        (provider) =>
          provider.settings.platform === platform &&
          isOpenTo(provider, tenantId) &&
          (provider.settings.issuer === null || provider.settings.issuer === issuer),
      ),

    nameOf: (platform: string): string => {
      const provider = providers.find(({ settings }) => settings.platform === platform)
      return provider ? nameOf(provider.settings) : platform
    },

    /**
     * Starts a sign-in at a platform. Resolves to the answer and to the value of the cookie for the browser. If `session`
     * is the id of the caller's session, the identity can be linked in this session only. Throws `invalid_request` for an
     * unknown platform or redirect URI, `unavailable` when the platform cannot be reached.
     */
    async begin(
      platform: string,
      query: AuthUrlQuery,
      browser: Browser,
      session?: string,
    ): Promise<{ answer: AuthUrl; browserKey: string }> {
      const { tenantId, userClient, redirectUri, action } = query
      const provider = providersWithPage(tenantId ?? defaultTenantId).find(
        ({ settings }) => settings.platform === platform,
      )
      if (!provider?.authorizationUrl) throw invalidField('platform', 'unknown_platform')
      const isBinding = action === bindAction
      const start = { target: { tenantId, userClient }, browser, session, isBinding }
      const started = await authorizationRequests.create(platform, findRedirectUri(provider, redirectUri), start)
      const { request, browserKey, browserVerifier: verifier } = started
      const authUrl = await provider.authorizationUrl(request)
      return { answer: { platform, authUrl: authUrl.href, state: request.state, verifier }, browserKey }
    },

    /** Exchanges an authorization code for a verified identity. Throws `invalid_grant`, `unavailable`. */
    exchangeCode: async (
      callback: Callback & ReturnedState,
      target: SignInTarget,
      browser: Browser,
    ): Promise<PlatformIdentity> => (await exchange(callback, target, browser)).identity,

    /** Exchanges the code of a mini-program. Throws `invalid_grant`, `unavailable`. */
    async exchangeMiniProgramCode(code: string, { tenantId }: SignInTarget): Promise<PlatformIdentity> {
      const provider = providers.find((one) => one.exchangeMiniProgramCode !== undefined && isOpenTo(one, tenantId))
      if (!provider?.exchangeMiniProgramCode) throw problem('invalid_grant')
      return toPlatformIdentity(provider.settings.platform, await provider.exchangeMiniProgramCode(code))
    },

    /** Exchanges an authorization code for a ticket. Throws `invalid_grant`, `unavailable`. */
    async complete(request: SocialCallbackRequest, browser: Browser): Promise<SocialTicket> {
      const { platform, code, state, verifier, iss } = request
      const target = targetOf(request)
      const { identity, session } = await exchange({ platform, code, state, verifier, iss }, target, browser)
      const socialTicket = await tickets.issue(identity, target, session)
      return { socialTicket, platform, tenantId: target.tenantId, expiresIn: tickets.lifetime }
    },

    /** Uses up a ticket to sign in. Throws `invalid_grant`. */
    takeTicket: tickets.take,

    /** Uses up a ticket to link its identity in a session. Throws `invalid_grant`. */
    takeTicketToLink: (ticket: string, target: SignInTarget, session: string): Promise<PlatformIdentity> =>
      tickets.takeToLink(ticket, target, session),
  }
}

export type Federation = ReturnType<typeof createFederation>
