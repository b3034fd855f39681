import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Language } from '../schemas/problems.js'
import { readAccept } from './accept.js'

/** Languages that clients may ask for, and the language of the response. */
const offers: Record<string, Language> = {
  en: 'en',
  zh: 'zh',
  // Chinese languages by their own codes (ISO 639-3), as Apple's and Google's systems send them.
  ...{ cmn: 'zh', yue: 'zh', wuu: 'zh', nan: 'zh', hak: 'zh', gan: 'zh', hsn: 'zh' },
}
const fallback: Language = 'en'

/** The language of a tag such as `zh-Hans-CN`, or of `zh_CN` as POSIX and Java say it: the first part decides. Undefined for others. */
export const languageOfTag = (tag: string | undefined): Language | undefined => {
  const [first = ''] = tag?.toLowerCase().split(/[-_]/, 1) ?? []
  return Object.hasOwn(offers, first) ? offers[first] : undefined
}

// Browsers send a few dozen different headers. The limit keeps a flood of other ones from filling the memory.
const known = new LRUCache<string, Language>({
  max: 200,
  memoMethod: (acceptLanguage) =>
    readAccept(acceptLanguage)
      .map((tag) => (tag === '*' ? fallback : languageOfTag(tag)))
      .find((language) => language !== undefined) ?? fallback,
})

/** The language of the messages (RFC 9110 12.5.4): English unless the client prefers Chinese. */
export const pickLanguage = (acceptLanguage: string | undefined): Language =>
  acceptLanguage === undefined || acceptLanguage.length > 200 ? fallback : known.memo(acceptLanguage)

/** The language that the client asks for; undefined where it asks for none of ours. */
export const statedLanguage = (acceptLanguage: string | undefined): Language | undefined =>
  acceptLanguage === undefined || acceptLanguage.length > 200
    ? undefined
    : readAccept(acceptLanguage)
        .map(languageOfTag)
        .find((language) => language !== undefined)

export const languageOf = ({ headers }: { headers: IncomingHttpHeaders }): Language =>
  pickLanguage(headers['accept-language'])
