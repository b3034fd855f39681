import fp from 'fastify-plugin'
import { fold } from '../../db/fold.js'
import { addressKey } from '../../lib/address-key.js'
import { createChannels, type Channel } from './channels.js'
import { createCodes, type Codes } from './codes.js'
import { createDelivery } from './delivery.js'
import { createCodeRequests } from './code-requests.js'
import { createSendingLimits } from './sending-limits.js'

declare module 'fastify' {
  interface FastifyInstance {
    oneTimeCodes: Codes & { channels: Channel[]; request: ReturnType<typeof createCodeRequests> }
  }
}

export default fp(
  async (app) => {
    const { accounts, attempts, captchas, clock, db, devices, log, mail, sendSms, store } = app
    const { devEcho, secret, settings } = app.installation
    const { readEmail, readPhone } = accounts
    const channels = createChannels({ users: db.users, readPhone, readEmail, fold, mail, sendSms })
    const delivery = createDelivery(log)
    app.addHook('onClose', () => delivery.finish())
    const limits = createSendingLimits({
      store,
      clock,
      settings: settings.oneTimeCodes,
      countAddresses: settings.rateLimits.enabled,
      hasCaptchas: settings.captcha.mode !== 'never',
    })
    const codes = createCodes({
      store,
      delivery,
      limits,
      settings: settings.oneTimeCodes,
      secret,
      service: settings.serviceName,
    })
    const request = createCodeRequests({
      channels,
      codes,
      limits,
      delivery,
      captchas,
      names: attempts.names,
      devices,
      disabledMethods: db.disabledMethods,
      addressKey,
      interval: settings.oneTimeCodes.interval,
      echo: devEcho,
    })
    app.decorate('oneTimeCodes', { ...codes, channels, request })
  },
  {
    name: 'one-time-codes',
    dependencies: ['accounts', 'attempts', 'captcha', 'clock', 'config', 'database', 'devices', 'mail', 'sms', 'store'],
  },
)
