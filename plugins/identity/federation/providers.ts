import type { ProviderKind, ProviderSettings } from '../../../schemas/settings-federation.js'
import type { Settings } from '../../../schemas/settings.js'
import { OperatorError } from '../../../lib/operator-error.js'
import { plainUrlFault } from '../../../lib/url-fault.js'
import { createOAuthProvider, oauthRows } from './oauth.js'
import { createOidcProvider } from './oidc.js'
import type { CreateProvider, Provider, ProviderParts } from './provider.js'
import { createMiniProgramProvider, createWechatProvider } from './wechat.js'

/** The factory and the required settings of each kind. */
const kinds: Record<ProviderKind, { create: CreateProvider; needs: readonly (keyof ProviderSettings)[] }> = {
  oidc: { create: createOidcProvider, needs: ['issuer', 'redirectUris'] },
  github: { create: createOAuthProvider(oauthRows.github), needs: ['clientSecret', 'redirectUris'] },
  gitee: { create: createOAuthProvider(oauthRows.gitee), needs: ['clientSecret', 'redirectUris'] },
  wechat: { create: createWechatProvider, needs: ['clientSecret', 'redirectUris'] },
  wechatMiniProgram: { create: createMiniProgramProvider, needs: ['clientSecret'] },
}

const isMissing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

const isAllowedUrl = (text: string, allowHttp: boolean) =>
  plainUrlFault(text) === undefined && (text.startsWith('https://') || (allowHttp && text.startsWith('http://')))

const faultsOf = (settings: ProviderSettings, allowHttp: boolean): string[] => {
  const faults = kinds[settings.kind].needs
    .filter((name) => isMissing(settings[name]))
    .map((name) => `${name} is missing`)
  for (const name of ['issuer', 'baseUrl'] as const) {
    const address = settings[name]
    if (address !== null && !isAllowedUrl(address, allowHttp))
      faults.push(`${name} must be an https URL without user name and password`)
  }
  return faults
}

/** Throws an `OperatorError` that lists all faults in the configuration of providers. */
const check = ({ providers, allowHttp }: Settings['federation']): void => {
  const lines = providers.flatMap((settings, index) => {
    const isDuplicate = providers.findIndex(({ platform }) => platform === settings.platform) < index
    const faults = [
      ...faultsOf(settings, allowHttp),
      ...(isDuplicate ? ['another provider has the same platform'] : []),
    ]
    return faults.map((fault) => `  federation.providers.${index} (${settings.platform}): ${fault}`)
  })
  if (lines.length === 0) return
  throw new OperatorError(
    `Rollcall does not start: the configuration of identity providers has faults.\n${lines.join('\n')}\nCorrect config.json and start again.`,
  )
}

/** The enabled identity providers. Throws an `OperatorError` if one is configured wrongly. */
export const createProviders = (
  federation: Settings['federation'],
  parts: Pick<ProviderParts, 'outbound' | 'clock' | 'log'>,
): Provider[] => {
  check(federation)
  const { allowHttp } = federation
  return federation.providers
    .filter(({ enabled }) => enabled)
    .map((settings) => kinds[settings.kind].create({ settings, ...parts, allowHttp }))
}
