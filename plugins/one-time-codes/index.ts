import fp from 'fastify-plugin'
import { fold } from '../../db/fold.js'
import { addressKey } from '../attempts/address.js'
import { createChannels, type Channel } from './channels.js'
import { createCodes, type Codes } from './codes.js'
import { createDelivery } from './delivery.js'
import { createOrder } from './order.js'

declare module 'fastify' {
  interface FastifyInstance {
    oneTimeCodes: Codes & { channels: Channel[]; order: ReturnType<typeof createOrder> }
  }
}

export default fp(
  async (app) => {
    const { accounts, captchas, clock, db, log, mail, sendSms, store } = app
    const { devEcho, secret, settings } = app.installation
    const { readEmail, readPhone } = accounts
    const channels = createChannels({ users: db.users, readPhone, readEmail, fold, mail, sendSms })
    const delivery = createDelivery(log)
    app.addHook('onClose', () => delivery.finish())
    const codes = createCodes({
      store,
      clock,
      delivery,
      settings: settings.oneTimeCodes,
      countAddresses: settings.rateLimits.enabled,
      addressKey,
      secret,
      service: settings.serviceName,
    })
    const order = createOrder({
      channels,
      codes,
      captchas,
      disabledMethods: db.disabledMethods,
      settings: settings.oneTimeCodes,
      echo: devEcho,
    })
    app.decorate('oneTimeCodes', { ...codes, channels, order })
  },
  {
    name: 'one-time-codes',
    dependencies: ['accounts', 'captcha', 'clock', 'config', 'database', 'mail', 'sms', 'store'],
  },
)
