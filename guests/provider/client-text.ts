import { countOf } from '../../lib/count-of.js'
import { toOneLine } from '../../lib/one-line.js'
import type { ClientRecord } from './clients/record.js'
import type { ClaimsPreview, Omission } from './clients/claims-preview.js'

/** An application for people, a line for each setting. */
export const describe = (client: ClientRecord): string => {
  const { access, lastError, redirectUris } = client
  const isForward = client.type === 'forward'
  const protocol: [string, string][] = [
    ['told of sign-outs at', client.backchannelLogoutUri ?? 'not told'],
    ['consent', client.consent],
    ['scopes', client.scopes.join(', ')],
    ['PKCE', client.pkce],
    ['refresh tokens', client.refreshTokens],
    ['ID tokens', `${client.idTokenAlgorithm}${client.minimalIdToken ? ', minimal' : ''}`],
  ]
  const ofForward: [string, string][] = [
    ...client.hosts.map((host): [string, string] => ['host', host]),
    ...client.openPaths.map((path): [string, string] => ['open to everybody', path]),
    ...client.pathRoles.map(({ path, roles }): [string, string] => [`${path} needs`, roles.join(', ')]),
    ['proved within', client.maxAge === null ? 'the session' : countOf(client.maxAge, 'second')],
  ]
  const rows: [string, string][] = [
    ['id', client.id],
    ['name', client.name],
    ['type', client.type],
    ['tenant', `${client.tenantName} (${client.tenantId})`],
    ...redirectUris.map((uri): [string, string] => ['redirect URI', uri]),
    ...client.postLogoutRedirectUris.map((uri): [string, string] => ['after sign-out', uri]),
    ['opened at', client.homeUrl ?? 'unknown'],
    ...(isForward ? ofForward : protocol),
    ['people of tenants', access.tenants.length === 0 ? String(client.tenantId) : access.tenants.join(', ')],
    ['roles, one of', access.roles.length === 0 ? 'none needed' : access.roles.join(', ')],
    ...client.resources.map((id): [string, string] => ['tokens for', id]),
    ...(client.serviceAccount === null ? [] : [['service account', String(client.serviceAccount)] as [string, string]]),
    ['second factor', client.minAcr === 'aal2' ? 'asked of everybody' : 'not asked'],
    ...(client.oldSecretUntil === null ? [] : [['former secret until', client.oldSecretUntil] as [string, string]]),
    ['last refusal', lastError ? `${lastError.time}: ${lastError.message}` : 'none'],
    ...(client.pendingLogouts === 0
      ? []
      : [['waits to be told', `of ${countOf(client.pendingLogouts, 'sign-out')}`] as [string, string]]),
  ]
  return rows.map(([label, value]) => `${label.padEnd(22)}${toOneLine(value)}`).join('\n')
}

const omissions: Record<Omission, string> = {
  scope: 'the application may not ask for it (--scopes)',
  absent: 'the account has none',
  not_verified: 'nobody has verified it: the person does so under /account, or --unverified-email on',
  not_https: 'its address does not begin with https://',
  userinfo_only: 'only in userinfo (--minimal-id-token, or a long list)',
}

const refusals: Record<NonNullable<ClaimsPreview['refusal']>, string> = {
  account: 'This account may not sign in at all now: rollcall user show says why.',
  tenant: 'People of this tenant may not use the application (--tenants).',
  role: 'The account has none of the roles that the application needs (--roles).',
}

/** What an application would get to know of somebody, for people. */
export const describeClaims = ({ refusal, userinfo, leftOut }: ClaimsPreview): string =>
  [
    ...(refusal === null ? [] : [refusals[refusal], '']),
    ...Object.entries(userinfo).map(([name, value]) => `${name.padEnd(22)}${toOneLine([value].flat().join(', '))}`),
    ...(leftOut.length === 0 ? [] : ['', 'Left out:']),
    ...leftOut.map(({ claim, reason }) => `${claim.padEnd(22)}${omissions[reason]}`),
  ].join('\n')
