import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { refusalOf } from '../person.js'
import type { Resources } from '../resources.js'
import { recordOf } from './record.js'
import type { OwnerOf } from './request-owner.js'

const { Check, Prompt, base } = interactionPolicy

/** The level that a request or its application asks for; undefined where every session is enough. */
const wantsFactor = ({ oidc }: KoaContextWithOIDC): boolean => {
  const { acr_values: wanted } = oidc.params ?? {}
  // A list in the order of preference (OpenID Connect Core 1.0, 3.1.2.1): a session of the second one is as good as none of the first.
  const asked = typeof wanted === 'string' ? wanted.split(' ').filter((name) => name.startsWith('aal')) : []
  return recordOf(oidc.client)?.minAcr === 'aal2' || (asked.length > 0 && !asked.includes('aal1'))
}

/**
 * What stands between a request and its answer, in this order: somebody is signed in, recently and by enough factors, and may use the
 * application. Without a session nobody is told whether the application would let them in.
 */
export const createPolicy = (ownerOf: OwnerOf, resources: Pick<Resources, 'named'>) => {
  const policy = base()
  const login = policy.get('login')
  if (!login) throw new Error('The library has no prompt for a sign-in')
  login.checks.add(
    new Check('acr', 'a second factor is needed', 'login_required', (ctx) =>
      wantsFactor(ctx) && ctx.oidc.session?.acr !== 'aal2' ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  const access = new Prompt(
    { name: 'access', requestable: false },
    new Check('access', 'the person may not use this application', 'access_denied', ({ req, oidc }) => {
      const [owner, client] = [ownerOf(req), recordOf(oidc.client)]
      const isLetIn = owner && client && !refusalOf(client, owner, resources.named(oidc.params?.['resource'], client))
      return isLetIn ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
    }),
  )
  policy.add(access, 1)
  return policy
}
