import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import type { Language } from '../schemas/problems.js'

/** What may be asked for, best first, and the language that answers. */
const offers: Record<string, Language> = { en: 'en', 'zh-CN': 'zh', zh: 'zh' }
const fallback: Language = 'en'

// Browsers send a few dozen forms of the header in all; a stranger's flood of others must not grow the process.
const known = new LRUCache<string, Language>({ max: 200 })

/** The language of the messages (RFC 9110 12.5.4): English unless the person prefers Chinese. */
export const pickLanguage = (acceptLanguage: string | undefined): Language => {
  if (acceptLanguage === undefined || acceptLanguage.length > 200) return fallback
  let language = known.get(acceptLanguage)
  if (language === undefined) {
    const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } })
    language = offers[negotiator.language(Object.keys(offers)) ?? ''] ?? fallback
    known.set(acceptLanguage, language)
  }
  return language
}
