import { defaultClient, defaultTenantId, type LoginConfig, type UserClient } from '../../../schemas/login.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField } from '../../../lib/problem.js'
import { publicUrlOf } from '../../../lib/public-url.js'
import { canSendCode, isRegistrationOpen } from '../../../lib/registration.js'
import { secondSteps } from './factor-methods.js'
import type { TenantMethods } from './tenant-methods.js'

/** What a sign-in page needs to know to show itself. Throws `invalid_request` for an unknown or disabled tenant. */
export const createLoginConfig = (
  needs: Needs<
    'captchas' | 'contacts' | 'db' | 'federation' | 'installation' | 'oneTimeCodes' | 'passwords' | 'secondFactor'
  >,
  methods: TenantMethods,
) => {
  const { captchas, contacts, db, federation, passwords } = needs
  const { channels, ofTenant } = needs.oneTimeCodes
  const { passkeys } = needs.secondFactor
  const { settings } = needs.installation
  return async (query: { userClient?: UserClient; tenantId?: number }): Promise<LoginConfig> => {
    const tenant = await db.tenants.find(query.tenantId ?? defaultTenantId)
    if (!tenant?.enabled) throw invalidField('tenantId', 'unknown_tenant')
    const offered = await methods.offered(tenant.id)
    const { registration } = settings
    const isOpen = isRegistrationOpen(registration, tenant.id) && canSendCode(registration, channels)
    return {
      enableCaptcha: settings.captcha.mode !== 'never',
      captchaType: captchas.captchaType,
      authTypes: offered.map(({ name }) => name),
      userClient: query.userClient ?? defaultClient,
      tenantId: tenant.id,
      tenantName: tenant.name,
      secondFactors: secondSteps
        .map(({ name }) => name)
        .filter((name) => name !== 'passkey' || passkeys.rpId !== undefined),
      passkeys: passkeys.rpId === undefined ? null : { rpId: passkeys.rpId, address: passkeys.address() },
      publicUrl: publicUrlOf(settings) ?? null,
      phoneNumbers: contacts.phoneForms,
      socialPlatforms: offered.some(({ showsPlatforms }) => showsPlatforms) ? federation.platforms(tenant.id) : [],
      passwordPolicy: passwords.policy,
      ...settings.branding,
      registration: isOpen ? 'open' : 'closed',
      resetChannels: (await ofTenant.all(tenant.id)).map(({ field }) => field),
      contactChannels: channels.map(({ field }) => field),
    }
  }
}
