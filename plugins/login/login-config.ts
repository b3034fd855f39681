import type { TenantRepository } from '../../db/repositories/tenants.js'
import { defaultClient, defaultTenantId, type LoginConfig, type UserClient } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import { invalidField } from '../../lib/problem.js'
import type { Captchas } from '../captcha/captchas.js'
import type { Federation } from '../federation/federation.js'
import type { Passwords } from '../passwords/index.js'
import type { TenantMethods } from './tenant-methods.js'

interface Collaborators {
  methods: TenantMethods
  tenants: TenantRepository
  captchas: Captchas
  federation: Pick<Federation, 'platforms'>
  passwords: Passwords
  settings: Pick<Settings, 'captcha' | 'branding'>
}

/** What a sign-in page asks before it shows itself. Throws `invalid_request` for a tenant that nobody can sign in to. */
export const createLoginConfig =
  ({ methods, tenants, captchas, federation, passwords, settings }: Collaborators) =>
  async (query: { userClient?: UserClient; tenantId?: number }): Promise<LoginConfig> => {
    const tenant = await tenants.find(query.tenantId ?? defaultTenantId)
    if (!tenant?.enabled) throw invalidField('tenantId', 'unknown_tenant')
    const authTypes = await methods.authTypes(tenant.id)
    // Without them, what comes back from a platform signs nobody in.
    const takesPlatforms = authTypes.includes('oauth2') || authTypes.includes('social')
    return {
      enableCaptcha: settings.captcha.mode !== 'never',
      captchaType: captchas.captchaType,
      authTypes,
      userClient: query.userClient ?? defaultClient,
      tenantId: tenant.id,
      tenantName: tenant.name,
      socialPlatforms: takesPlatforms ? federation.platforms(tenant.id) : [],
      passwordPolicy: passwords.policy,
      ...settings.branding,
    }
  }
