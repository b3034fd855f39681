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
    const { contacts, db, log, mail, notices, sendSms } = app
    const channels = createChannels({ ...contacts, users: db.users, mail, sendSms, composer: notices.composer })
    const delivery = createDelivery(log)
    app.addHook('onClose', () => delivery.finish())
    const limits = createSendingLimits(app)
    const codes = createCodes(app, delivery, limits)
    const requestCode = createCodeRequests(app, { codes, limits, delivery })
    const ofTenant = createTenantChannels(channels, db.disabledMethods)
    const tryCode = createCodeTries(app, codes)
    app.decorate('oneTimeCodes', {
      ...codes,
      channels,
      ofTenant,
      request: createSignInCodes({ codes, requestCode, ofTenant }),
      requestCode,
      tryCode,
      setup: createSetupCodes(app, ofTenant, requestCode, tryCode),
      ...createInvitations(app, { channels, codes, delivery, ofTenant }),
    })
  },
  { name: 'identity/codes' },
)
