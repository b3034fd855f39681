import type { ClientDevices } from './device-cookie.js'
import type { Browser } from '../federation/authorization-requests.js'

/** What is known about the client of a sign-in. */
export interface ClientContext {
  address: string
  userAgent: string
  acceptLanguage: string | undefined
  browser: Browser
  devices: ClientDevices
}
