import { request } from 'undici'
import { Type } from '@sinclair/typebox'
import { findingsOf, type Finding } from '../../cli/doctor/finding.js'
import type { Database } from '../../db/index.js'
import { countOf } from '../../lib/count-of.js'
import { jsonReader } from '../../lib/json-reader.js'
import { toTime } from '../../lib/time-text.js'
import type { Installation } from '../../plugins/run/config/installation.js'
import type {} from './settings.js'

const { ok, warning, fault } = findingsOf('single sign-on')
const timeout = 5000
const day = 24 * 3600 * 1000
/** Named one by one; of more, how many. */
const shown = 5

const readMetadata = jsonReader(Type.Object({ issuer: Type.String(), token_endpoint: Type.Optional(Type.String()) }))

/** Asks as an application would: at the address that the issuer is. */
const checkDiscovery = async (issuer: string): Promise<Finding> => {
  const base = issuer.replace(/\/$/, '')
  const url = `${base}/.well-known/openid-configuration`
  const advice = `The proxy has to pass ${new URL(base).pathname.replace(/\/$/, '')}/.well-known/ and /oidc/ to the service, which has to run.`
  try {
    const times = { headersTimeout: timeout, bodyTimeout: timeout, signal: AbortSignal.timeout(timeout) }
    const { statusCode, body } = await request(url, times)
    const text = await body.text()
    const found = statusCode === 200 ? readMetadata(text) : undefined
    if (!found) return fault(`${url} answers ${statusCode}, and not what applications look for there`, advice)
    if (found.issuer !== issuer)
      return fault(
        `${url} says issuer ${found.issuer}, the setting is ${issuer}`,
        'Applications compare the two character by character: restart the service, or correct the setting issuer.',
      )
    if (found.token_endpoint !== `${base}/oidc/token`)
      return fault(
        `${url} names no token endpoint`,
        'Restart the service: provider.enabled was switched on after its start.',
      )
    return ok(`${url} is what applications need`)
  } catch (error) {
    return fault(`${url} cannot be read: ${(error as Error).message}`, advice)
  }
}

/** What an operator of applications should look at. */
export const checkApplications = async ({ settings }: Installation, db: Database): Promise<Finding[]> => {
  const clients = await db.providerClients.list()
  if (!settings.provider.enabled)
    return clients.length === 0
      ? []
      : [
          warning(
            `${countOf(clients.length, 'application')}, and provider.enabled is false`,
            'Nobody can sign in to them: see single-sign-on.md.',
          ),
        ]
  const now = Date.now()
  const refused = clients.filter(({ lastError }) => lastError && now - lastError.time < day)
  const waiting = await db.providerLogouts.size()
  return [
    await checkDiscovery(settings.issuer),
    ok(countOf(clients.length, 'application')),
    ...(clients.some(({ type }) => type === 'forward') && settings.trustProxy.length === 0
      ? [
          fault(
            'no proxy is trusted, so nobody passes to protected hosts',
            'Set TRUST_PROXY to the address of the proxy: see protect-any-application.md.',
          ),
        ]
      : []),
    ...refused
      .slice(0, shown)
      .map(({ id, lastError }) =>
        warning(
          `${id} was refused something at ${toTime(lastError?.time ?? 0)}: ${lastError?.message ?? ''}`,
          `rollcall client show ${id} shows its settings.`,
        ),
      ),
    ...(refused.length > shown
      ? [warning(`${refused.length - shown} more were refused something`, 'See them by rollcall client list.')]
      : []),
    ...(waiting > 0
      ? [
          warning(
            `${countOf(waiting, 'sign-out')} of which applications wait to be told`,
            'rollcall client show says what went wrong; after three tries nobody asks again.',
          ),
        ]
      : []),
  ]
}
