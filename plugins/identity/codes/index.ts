import fp from 'fastify-plugin'
import { createChannels, type Channel } from './channels.js'
import { createCodeRequests, type RequestCode } from './code-requests.js'
import { createCodes, type Codes } from './codes.js'
import { createCodeTries, type TryCode } from './code-tries.js'
import { createDelivery } from './delivery.js'
import { createInvitations, type Invitations } from './invitations.js'
import { createSendingLimits } from '../../throttle/sending-limits.js'
import { createSetupCodes, type SetupCodes } from './setup-codes.js'
import { createSignInCodes } from './sign-in-codes.js'
import { createTenantChannels, type TenantChannels } from './tenant-channels.js'

declare module 'fastify' {
  interface FastifyInstance {
    oneTimeCodes: Codes &
      Invitations & {
        channels: Channel[]
        ofTenant: TenantChannels
        /** Sends a code for signing in. */
        request: ReturnType<typeof createSignInCodes>
        /** Sends a code for any purpose. */
        requestCode: RequestCode
        tryCode: TryCode
        setup: SetupCodes
      }
  }
}

export default fp(
  async (app) => {
    const { attempts, captchas, clock, contacts, db, log, mail, notices, sendSms, store } = app
    const { devEcho, secret, settings } = app.installation
    const { composer } = notices
    const channels = createChannels({ ...contacts, users: db.users, mail, sendSms, composer })
    const delivery = createDelivery(log)
    app.addHook('onClose', () => delivery.finish())
    const limits = createSendingLimits({
      store,
      clock,
      settings: settings.oneTimeCodes,
      countAddresses: settings.rateLimits.enabled,
      hasCaptchas: settings.captcha.mode !== 'never',
    })
    const codes = createCodes({ store, delivery, limits, settings: settings.oneTimeCodes, secret, clock })
    const requestCode = createCodeRequests({
      codes,
      limits,
      delivery,
      captchas,
      names: attempts.names,
      composer,
      interval: settings.oneTimeCodes.interval,
      echo: devEcho,
    })
    const ofTenant = createTenantChannels(channels, db.disabledMethods)
    const tryCode = createCodeTries({ codes, attempts })
    app.decorate('oneTimeCodes', {
      ...codes,
      channels,
      ofTenant,
      request: createSignInCodes({ codes, requestCode, ofTenant }),
      requestCode,
      tryCode,
      setup: createSetupCodes({
        ...{ contacts: db.verifiedContacts, store, ofTenant, requestCode, tryCode },
        ...{ settings: settings.secondFactor, expiresIn: settings.oneTimeCodes.ttl },
      }),
      ...createInvitations({ channels, codes, delivery, ofTenant, tenants: db.tenants, users: db.users, composer }),
    })
  },
  { name: 'identity/codes' },
)
