import { createHmac } from 'node:crypto'
import fp from 'fastify-plugin'
import { lifetime } from '../devices/marks.js'
import type { Origin } from '../login/sign-in.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from: address, browser and known device. */
    readonly origin: Origin
  }
  interface FastifyReply {
    /** Leaves or renews the device cookie, after a sign-in or a change of the password. */
    leaveDeviceCookie(user: { userId: number; tenantId: number }): void
    /** Leaves a key in the browser that begins a sign-in at an identity provider. */
    leaveBrowserKey(key: string): void
  }
}

const browserCookie = 'rollcall_browser'

/** The name of the device cookie in version 0.1.0; it is read until a sign-in leaves one of the new name. */
const oldDeviceCookie = 'rollcall_device'

/** Cookies know no ports: two installations on one host would otherwise overwrite each other's. */
const deviceCookieName = (secret: string) =>
  `${oldDeviceCookie}_${createHmac('sha256', secret).update('name of the device cookie').digest('hex').slice(0, 8)}`

/** Who sends a request, as far as its address, headers and cookies tell. Clients without cookies are served as well. */
export default fp(
  async (app) => {
    const { devices, federation } = app
    const deviceCookie = deviceCookieName(app.installation.secret)
    app.decorateRequest('origin', {
      getter() {
        return {
          address: this.ip,
          userAgent: this.headers['user-agent'] ?? '',
          acceptLanguage: this.headers['accept-language'],
          browser: { key: this.cookieOf(browserCookie), isBrowser: this.isFromBrowser },
          marks: {
            authorization: this.headers.authorization,
            mark: this.cookieOf(deviceCookie) ?? this.cookieOf(oldDeviceCookie),
          },
        }
      },
    })
    app.decorateReply('leaveDeviceCookie', function (user) {
      this.leaveCookie(deviceCookie, devices.renew(this.request.origin.marks.mark, user), lifetime / 1000)
    })
    app.decorateReply('leaveBrowserKey', function (key) {
      this.leaveCookie(browserCookie, key, federation.browserKeyLifetime)
    })
  },
  { name: 'client-context', dependencies: ['browser-requests', 'config', 'cookies', 'devices', 'federation'] },
)
