import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { deviceLifetime } from '../identity/devices/device-cookie.js'
import type { ClientContext } from '../identity/devices/client.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from: address, browser and known devices. Read once in a request. */
    readonly clientContext: ClientContext
  }
  interface FastifyReply {
    /** Sets or renews the device cookie, after a sign-in or a change of the password. */
    setDeviceCookie(user: { userId: number; tenantId: number }): void
    /** Sets the cookie that binds a sign-in at an identity provider to this browser. */
    setBrowserKey(key: string): void
  }
}

const browserCookie = 'rollcall_browser'

/** Cookies do not depend on the port, so two installations on one host need different names. */
const deviceCookieName = (secret: string) =>
  `rollcall_device_${createHmac('sha256', secret).update('name of the device cookie').digest('hex').slice(0, 8)}`

/** Reads address, headers and cookies of a client. Cookies are optional. */
export default fp(
  async (app) => {
    const { devices, federation } = app
    const deviceCookie = deviceCookieName(app.installation.secret)
    const read = (request: FastifyRequest): ClientContext => ({
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      acceptLanguage: request.headers['accept-language'],
      browser: { key: request.readCookie(browserCookie), isBrowser: request.isFromBrowser },
      devices: devices.of({
        authorization: request.headers.authorization,
        // That of before cookies had a prefix is read until the next sign-in, which replaces it: else all would be new devices.
        cookie: request.readEarlierCookie(deviceCookie),
      }),
    })
    const contexts = new WeakMap<FastifyRequest, ClientContext>()
    app.decorateRequest('clientContext', {
      getter() {
        const context = contexts.get(this) ?? read(this)
        contexts.set(this, context)
        return context
      },
    })
    app.decorateReply('setDeviceCookie', function (user) {
      const { devices: known } = this.request.clientContext
      this.writeCookie(deviceCookie, known.issueCookie(user), deviceLifetime / 1000)
    })
    app.decorateReply('setBrowserKey', function (key) {
      this.writeCookie(browserCookie, key, federation.browserKeyLifetime)
    })
  },
  { name: 'http/client-context' },
)
