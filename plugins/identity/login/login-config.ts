import type { TenantRepository } from '../../../db/repositories/tenants.js'
import { defaultClient, defaultTenantId, type LoginConfig, type UserClient } from '../../../schemas/login.js'
import type { Settings } from '../../../schemas/settings.js'
import { invalidField } from '../../../lib/problem.js'
import { publicUrlOf } from '../../../lib/public-url.js'
import { canSendCode, isRegistrationOpen } from '../../../lib/registration.js'
import type { Captchas } from '../captcha/captchas.js'
import type { Channel } from '../codes/channels.js'
import type { TenantChannels } from '../codes/tenant-channels.js'
import type { Federation } from '../federation/federation.js'
import type { Passwords } from '../passwords/index.js'
import type { Passkeys } from '../second-factor/passkeys/passkeys.js'
import { secondSteps } from './factor-methods.js'
import type { TenantMethods } from './tenant-methods.js'

interface Collaborators {
  methods: TenantMethods
  tenants: TenantRepository
  captchas: Captchas
  channels: readonly Channel[]
  channelsOf: Pick<TenantChannels, 'all'>
  federation: Pick<Federation, 'platforms'>
  passwords: Passwords
  settings: Pick<Settings, 'captcha' | 'branding' | 'registration' | 'publicUrl' | 'issuer'>
  passkeys: Pick<Passkeys, 'rpId' | 'address'>
  phoneNumbers: LoginConfig['phoneNumbers']
}

/** What a sign-in page needs to know to show itself. Throws `invalid_request` for an unknown or disabled tenant. */
export const createLoginConfig =
  ({
    methods,
    tenants,
    captchas,
    channels,
    channelsOf,
    federation,
    passwords,
    settings,
    passkeys,
    phoneNumbers,
  }: Collaborators) =>
  async (query: { userClient?: UserClient; tenantId?: number }): Promise<LoginConfig> => {
    const tenant = await tenants.find(query.tenantId ?? defaultTenantId)
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
      phoneNumbers,
      socialPlatforms: offered.some(({ showsPlatforms }) => showsPlatforms) ? federation.platforms(tenant.id) : [],
      passwordPolicy: passwords.policy,
      ...settings.branding,
      registration: isOpen ? 'open' : 'closed',
      resetChannels: (await channelsOf.all(tenant.id)).map(({ field }) => field),
      contactChannels: channels.map(({ field }) => field),
    }
  }
