import type { LoginRequest } from '../../schemas/login.js'
import type { Federation } from '../federation/federation.js'
import type { Links } from '../federation/links.js'
import type { PlatformProof } from '../federation/tickets.js'
import { problem } from '../../lib/problem.js'
import type { LoginMethod, SignInPlace } from './registry.js'

/** A mini-program has no browser to send anywhere: its code comes alone. */
const comesAlone = ({ userClient, state, socialTicket }: LoginRequest) =>
  userClient === 'wechat' && state === undefined && socialTicket === undefined

const prove = async (federation: Federation, request: LoginRequest, place: SignInPlace): Promise<PlatformProof> => {
  const { socialTicket, authCode, state, verifier, iss } = request
  if (socialTicket !== undefined) return federation.takeTicket(socialTicket, place)
  if (authCode === undefined) throw problem('invalid_grant')
  if (state === undefined) return federation.redeemAlone(authCode, place)
  return federation.redeem({ code: authCode, state, verifier, iss }, place, place.browser)
}

/** Sign-in by an identity elsewhere, when there are providers. */
export const createFederatedMethods = (federation: Federation & { links: Links }): LoginMethod[] => {
  const shared: Pick<LoginMethod, 'captcha' | 'subject' | 'verify'> = {
    captcha: 'none',
    // Tickets and codes name nobody before they are proven.
    subject: () => undefined,
    async verify(request, place) {
      return federation.links.resolve(await prove(federation, request, place), place.tenantId)
    },
  }
  if (!federation.isConfigured) return []
  return [
    {
      name: 'oauth2',
      needs: (request) => {
        if (request.socialTicket !== undefined) return ['socialTicket']
        return comesAlone(request) ? ['authCode'] : ['authCode', 'state']
      },
      ...shared,
    },
    { name: 'social', needs: () => ['socialTicket'], ...shared },
  ]
}
