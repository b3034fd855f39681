import type { TenantRepository } from '../../db/tenants.js'
import { defaultClient, defaultTenantId, type LoginConfig, type UserClient } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import { invalidField } from '../errors/problem.js'
import type { Captchas } from '../captcha/captchas.js'
import type { Federation } from '../federation/federation.js'
import type { Passwords } from '../passwords/index.js'
import type { LoginRegistry } from './registry.js'

interface Collaborators {
  registry: LoginRegistry
  tenants: TenantRepository
  captchas: Captchas
  federation: Pick<Federation, 'platforms'>
  passwords: Passwords
  settings: Pick<Settings, 'captcha' | 'branding'>
}

/** What a sign-in page asks before it shows itself. Throws `invalid_request` for a tenant that nobody can sign in to. */
export const createLoginConfig =
  ({ registry, tenants, captchas, federation, passwords, settings }: Collaborators) =>
  async (query: { userClient?: UserClient; tenantId?: number }): Promise<LoginConfig> => {
    const tenant = await tenants.find(query.tenantId ?? defaultTenantId)
    if (!tenant?.enabled) throw invalidField('tenantId', 'unknown_tenant')
    return {
      enableCaptcha: settings.captcha.mode !== 'never',
      captchaType: captchas.captchaType,
      authTypes: registry.authTypes(),
      userClient: query.userClient ?? defaultClient,
      tenantId: tenant.id,
      tenantName: tenant.name,
      socialPlatforms: federation.platforms(tenant.id),
      passwordPolicy: passwords.policy,
      ...settings.branding,
    }
  }
