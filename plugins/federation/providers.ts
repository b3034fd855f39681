import type { ProviderKind, ProviderSettings } from '../../schemas/settings-federation.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../../lib/clock.js'
import { OperatorError } from '../../lib/operator-error.js'
import { createOAuthProvider, oauthRows } from './oauth.js'
import { createOidcProvider } from './oidc.js'
import type { Outbound } from './outbound.js'
import type { CreateProvider, Provider } from './provider.js'
import { createMiniProgramProvider, createWechatProvider } from './wechat.js'

/** How each kind is spoken to, and which settings it cannot do without. */
const kinds: Record<ProviderKind, { create: CreateProvider; needs: readonly (keyof ProviderSettings)[] }> = {
  oidc: { create: createOidcProvider, needs: ['issuer', 'redirectUris'] },
  github: { create: createOAuthProvider(oauthRows.github), needs: ['clientSecret', 'redirectUris'] },
  gitee: { create: createOAuthProvider(oauthRows.gitee), needs: ['clientSecret', 'redirectUris'] },
  wechat: { create: createWechatProvider, needs: ['clientSecret', 'redirectUris'] },
  wechatMiniProgram: { create: createMiniProgramProvider, needs: ['clientSecret'] },
}

const isAbsent = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

const isAddress = (text: string, allowHttp: boolean) =>
  URL.canParse(text) && (text.startsWith('https://') || (allowHttp && text.startsWith('http://')))

const faultsOf = (settings: ProviderSettings, allowHttp: boolean): string[] => {
  const faults = kinds[settings.kind].needs
    .filter((name) => isAbsent(settings[name]))
    .map((name) => `${name} is missing`)
  for (const name of ['issuer', 'baseUrl'] as const) {
    const address = settings[name]
    if (address !== null && !isAddress(address, allowHttp)) faults.push(`${name} must be an https address`)
  }
  return faults
}

/** Throws an `OperatorError` that lists everything that is wrong with the providers of the configuration. */
const check = ({ providers, allowHttp }: Settings['federation']): void => {
  const lines = providers.flatMap((settings, index) => {
    const isDouble = providers.findIndex(({ platform }) => platform === settings.platform) < index
    const faults = [...faultsOf(settings, allowHttp), ...(isDouble ? ['the platform is named twice'] : [])]
    return faults.map((fault) => `  federation.providers.${index} (${settings.platform}): ${fault}`)
  })
  if (lines.length === 0) return
  throw new OperatorError(
    `Rollcall does not start: identity providers are set up wrongly.\n${lines.join('\n')}\nCorrect config.json and start again.`,
  )
}

/** The identity providers of the configuration that are enabled. Throws an `OperatorError`. */
export const createProviders = (federation: Settings['federation'], outbound: Outbound, clock: Clock): Provider[] => {
  check(federation)
  return federation.providers
    .filter(({ enabled }) => enabled)
    .map((settings) => kinds[settings.kind].create({ settings, outbound, clock, allowHttp: federation.allowHttp }))
}
