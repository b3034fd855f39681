import { databaseUrlFault, redisUrlFault } from '../../../db/engines.js'
import { plainUrlFault, urlFault } from '../../../lib/url-fault.js'
import type { Settings } from '../../../schemas/settings.js'

interface UrlSetting {
  path: string
  read: (settings: Settings) => string | null
  faultOf: (url: string) => string | undefined
}

const mailUrlFault = (url: string): string | undefined =>
  urlFault(url) ?? (new URL(url).hostname === '' ? 'has no host' : undefined)

/** Every setting whose URL may have a password. All are read at the start, before anything is created. */
const urlSettings: readonly UrlSetting[] = [
  { path: 'databaseUrl', read: ({ databaseUrl }) => databaseUrl, faultOf: databaseUrlFault },
  { path: 'redisUrl', read: ({ redisUrl }) => redisUrl, faultOf: redisUrlFault },
  { path: 'mail.url', read: ({ mail }) => mail.url, faultOf: mailUrlFault },
  { path: 'sms.webhook.url', read: ({ sms }) => sms.webhook.url, faultOf: plainUrlFault },
]

/** The settings whose URLs cannot be read, and why; the URLs are not shown. */
export const urlFaults = (settings: Settings): { path: string; message: string }[] =>
  urlSettings.flatMap(({ path, read, faultOf }) => {
    const url = read(settings)
    const message = url === null ? undefined : faultOf(url)
    return message === undefined ? [] : [{ path, message }]
  })
