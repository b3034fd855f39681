import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { CompatPlatform } from './schemas/self.js'
import type { CompatLinkRequest } from './schemas/shared.js'
import type { Needs } from '../../lib/needs.js'
import { invalidField, problem } from '../../lib/problem.js'
import type { ClientContext } from '../../plugins/identity/devices/client.js'

/** The linked identities of the caller, of which this front end knows one for each platform. */
export const createIdentities = ({ federation, linkedIdentities }: Needs<'federation' | 'linkedIdentities'>) => ({
  /** All platforms, and whether an identity is linked. */
  async bindings(caller: SessionOwner): Promise<CompatPlatform[]> {
    const linked = await linkedIdentities.list(caller)
    const offered = federation.platforms(caller.tenant.id)
    const others = linked.filter((one) => !offered.some(({ platform }) => platform === one.platform))
    const platforms = new Map<string, Omit<CompatPlatform, 'bound' | 'nickname' | 'email'>>(
      [...offered, ...others.map((one) => ({ ...one, platformLogo: null }))].map(
        ({ platform, platformName, platformLogo }) => [platform, { platform, platformName, platformLogo }],
      ),
    )
    return [...platforms.values()].map((platform) => {
      const identity = linked.find((one) => one.platform === platform.platform)
      return { ...platform, bound: identity !== undefined, nickname: identity?.displayName ?? null, email: null }
    })
  },

  /** The ticket with which an identity is linked: that of the request, or one for the code that the provider sent back. */
  async ticketOf(caller: SessionOwner, request: CompatLinkRequest, { browser }: ClientContext): Promise<string> {
    const { socialTicket, platform, code, state, verifier } = request
    if (socialTicket !== undefined) return socialTicket
    if (code === undefined) throw invalidField('socialTicket', 'required')
    if (platform === undefined) throw invalidField('platform', 'required')
    if (state === undefined) throw invalidField('state', 'required')
    const target = { tenantId: caller.tenant.id, userClient: caller.session.userClient }
    const callback = { platform, code, state, ...(verifier === undefined ? {} : { verifier }), ...target }
    return (await federation.complete(callback, browser)).socialTicket
  },

  /** Unlinks the identities of a platform. */
  async unbind(caller: SessionOwner, platform: string, client: ClientContext): Promise<void> {
    const ofPlatform = (await linkedIdentities.list(caller)).filter((one) => one.platform === platform)
    if (ofPlatform.length === 0)
      throw problem('not_found', { faults: [{ field: 'platform', rule: 'unknown_identity' }] })
    for (const { id } of ofPlatform) await linkedIdentities.unlink(caller, id, client)
  },
})
