import { toOneLine } from '../../lib/one-line.js'
import { toTime } from '../../lib/time-text.js'
import type { Client } from './repositories/clients.js'

/** What `show` and `--json` print: never the hashes of secrets. */
export const shown = ({ secretHash, oldSecret, lastError, createTime, updateTime, ...client }: Client) => ({
  ...client,
  hasSecret: secretHash !== null,
  oldSecretUntil: oldSecret ? toTime(oldSecret.expiry) : null,
  lastError: lastError ? { message: lastError.message, time: toTime(lastError.time) } : null,
  createTime: toTime(createTime),
  updateTime: toTime(updateTime),
})

/** The same for people. */
export const describe = (client: Client): string => {
  const { access, lastError, redirectUris } = client
  const rows: [string, string][] = [
    ['id', client.id],
    ['name', client.name],
    ['type', client.type],
    ['tenant', String(client.tenantId)],
    ...redirectUris.map((uri): [string, string] => ['redirect URI', uri]),
    ...client.postLogoutRedirectUris.map((uri): [string, string] => ['after sign-out', uri]),
    ['told of sign-outs at', client.backchannelLogoutUri ?? 'not told'],
    ['consent', client.consent],
    ['scopes', client.scopes.join(', ')],
    ['people of tenants', access.tenants.length === 0 ? String(client.tenantId) : access.tenants.join(', ')],
    ['roles, one of', access.roles.length === 0 ? 'none needed' : access.roles.join(', ')],
    ['PKCE', client.pkce],
    ['refresh tokens', client.refreshTokens],
    ['ID tokens', `${client.idTokenAlgorithm}${client.minimalIdToken ? ', minimal' : ''}`],
    ['second factor', client.minAcr === 'aal2' ? 'asked of everybody' : 'not asked'],
    ...(client.oldSecret ? [['former secret until', toTime(client.oldSecret.expiry)] as [string, string]] : []),
    ['last refusal', lastError ? `${toTime(lastError.time)}: ${lastError.message}` : 'none'],
  ]
  return rows.map(([label, value]) => `${label.padEnd(22)}${toOneLine(value)}`).join('\n')
}
