import type { LoginRequest } from '../../schemas/login.js'
import type { Federation } from '../federation/federation.js'
import type { LinkedIdentities } from '../federation/linked-identities.js'
import type { PlatformIdentity } from '../federation/tickets.js'
import { problem } from '../../lib/problem.js'
import type { LoginMethod, SignInContext } from './registry.js'

/** A mini-program has no browser to send anywhere: its code comes alone. */
const comesAlone = ({ userClient, state, socialTicket }: LoginRequest) =>
  userClient === 'wechat' && state === undefined && socialTicket === undefined

const verifyIdentity = async (
  federation: Federation,
  request: LoginRequest,
  context: SignInContext,
): Promise<PlatformIdentity> => {
  const { socialTicket, authCode, state, verifier, iss } = request
  if (socialTicket !== undefined) return federation.takeTicket(socialTicket, context)
  if (authCode === undefined) throw problem('invalid_grant')
  if (state === undefined) return federation.exchangeMiniProgramCode(authCode, context)
  return federation.exchangeCode({ code: authCode, state, verifier, iss }, context, context.browser)
}

/** Sign-in by an identity elsewhere, when there are providers. */
export const createFederatedMethods = (
  federation: Federation & { linkedIdentities: LinkedIdentities },
): LoginMethod[] => {
  const shared: Pick<LoginMethod, 'captcha' | 'subject' | 'verify'> = {
    captcha: 'none',
    // Tickets and codes name nobody before they are proven.
    subject: () => undefined,
    async verify(request, context) {
      return federation.linkedIdentities.resolve(await verifyIdentity(federation, request, context), context.tenantId)
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
