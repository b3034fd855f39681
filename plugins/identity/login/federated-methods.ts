import type { LoginRequest } from '../../../schemas/login.js'
import type { Federation } from '../federation/federation.js'
import type { IdentityOwners } from '../federation/identity-owners.js'
import type { PlatformIdentity } from '../federation/tickets.js'
import { problem } from '../../../lib/problem.js'
import type { LoginMethod, SignInContext } from './registry.js'

/** A WeChat mini-program cannot redirect a browser, so its code comes without a `state`. */
const isMiniProgramCode = ({ userClient, state, socialTicket }: LoginRequest) =>
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

/** Sign-in with a linked identity. */
export const createFederatedMethods = (federation: Federation & { owners: IdentityOwners }): LoginMethod[] => {
  const shared = {
    firstAnswer: 'noProvider',
    captcha: 'none',
    showsPlatforms: true,
    isWayIn: (_user, identities) => identities.some(federation.canSignIn),
    // A ticket or code contains no user name, so there is no `subject`.
    verify: federation.isConfigured
      ? async (request, context) =>
          federation.owners.resolve(await verifyIdentity(federation, request, context), context.tenantId)
      : undefined,
  } as const satisfies Partial<LoginMethod>
  return [
    {
      name: 'oauth2',
      meaning: 'authorization code of an identity provider, or the ticket for one',
      summary:
        'Sign-in by an authorization code and its state, or by a ticket; the code of a mini-program (`userClient: wechat`) has no state',
      needs: (request) => {
        if (request.socialTicket !== undefined) return ['socialTicket']
        return isMiniProgramCode(request) ? ['authCode'] : ['authCode', 'state']
      },
      takes: ['authCode', 'state', 'verifier', 'iss', 'socialTicket'],
      example: { authType: 'oauth2', authCode: '0b8c4f1e7a', state: 'github_m3Yk0d4xQkq1x2b3c4d5eg' },
      ...shared,
    },
    {
      name: 'social',
      meaning: 'ticket of `POST /social/callback`',
      summary: 'Sign-in by the ticket of `POST /social/callback`',
      needs: ['socialTicket'],
      takes: ['verifier'],
      ...shared,
    },
  ]
}
