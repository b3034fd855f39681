import type { ProviderKind, ProviderSettings } from '../../../schemas/settings-federation.js'

const kindNames: Record<ProviderKind, string | null> = {
  oidc: null,
  github: 'GitHub',
  gitee: 'Gitee',
  wechat: 'WeChat',
  wechatMiniProgram: 'WeChat',
}

/** The display name of a provider. */
export const nameOf = ({ name, kind, platform }: ProviderSettings): string => name ?? kindNames[kind] ?? platform
