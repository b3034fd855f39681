import { claimsOfScopes, type Claim, type FindClaims } from '../claims.js'
import { mayEnter, refusalOf, type Person } from '../person.js'
import type { Client } from '../repositories/clients.js'

/** Why an application does not get a claim. */
export const omissions = ['scope', 'absent', 'not_verified', 'not_https', 'userinfo_only'] as const
export type Omission = (typeof omissions)[number]

/** Why somebody cannot use an application. */
export const refusals = ['account', 'tenant', 'role'] as const

export interface ClaimsPreview {
  refusal: (typeof refusals)[number] | null
  idToken: Record<string, unknown>
  userinfo: Record<string, unknown>
  leftOut: { claim: Claim; reason: Omission }[]
}

type ScopeOfClaims = keyof typeof claimsOfScopes

const claimsOf = (scopes: readonly string[]): Set<string> =>
  new Set(scopes.flatMap((scope) => [...(scope in claimsOfScopes ? claimsOfScopes[scope as ScopeOfClaims] : [])]))

/** Why a claim that the application may ask for is not there. */
const omissionOf = (claim: Claim, { user }: Person): Omission => {
  if (claim === 'picture') return user.avatar === null ? 'absent' : 'not_https'
  if (claim === 'email' || claim === 'email_verified') return user.email === null ? 'absent' : 'not_verified'
  if (claim === 'phone_number' || claim === 'phone_number_verified')
    return user.phoneKey === null ? 'absent' : 'not_verified'
  return 'absent'
}

/** What an application would get to know of somebody now if it asked for all that it may. */
export const previewClaims = async (
  findClaims: FindClaims,
  client: Client,
  person: Person,
  now: number,
): Promise<ClaimsPreview> => {
  const known = claimsOf(client.scopes)
  const claimsIn = async (place: 'id_token' | 'userinfo') => {
    const claims = await findClaims(client, person, place, new Set(client.scopes))
    const given = Object.entries(claims).filter(([name]) => known.has(name))
    return { sub: String(person.user.id), ...Object.fromEntries(given) }
  }
  const [idToken, userinfo] = [await claimsIn('id_token'), await claimsIn('userinfo')]
  const leftOut = Object.values(claimsOfScopes).flatMap((claims) =>
    (claims as readonly Claim[]).flatMap((claim): ClaimsPreview['leftOut'] => {
      if (!known.has(claim)) return [{ claim, reason: 'scope' }]
      if (!(claim in userinfo)) return [{ claim, reason: omissionOf(claim, person) }]
      return claim in idToken ? [] : [{ claim, reason: 'userinfo_only' }]
    }),
  )
  const refusal = mayEnter(person, now) ? (refusalOf(client, person) ?? null) : 'account'
  return { refusal, idToken, userinfo, leftOut }
}
