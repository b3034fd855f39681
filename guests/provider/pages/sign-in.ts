import { base } from '../../../pages/shared/base.js'
import type { Language } from '../../../pages/shared/language/language.js'
import type { Brought } from '../../../pages/sign-in/arrival.js'

const words = {
  en: (name: string) => `To go on to ${name}.`,
  zh: (name: string) => `登录后将前往 ${name}。`,
} satisfies Record<Language, unknown>

interface Details {
  client: { name: string }
  loginHint: string | null
  reasons: string[]
}

/** What the application that has sent somebody here is called, and what it asks for. Undefined where its request is over. */
export const load = async (language: Language): Promise<Brought> => {
  const query = new URLSearchParams(location.search)
  const uid = query.get('interaction') ?? ''
  const address = new URL(`oidc/interactions/${encodeURIComponent(uid)}`, base)
  const response = await fetch(`${address.href}/details`)
  if (!response.ok) return undefined
  const { client, loginHint, reasons } = ((await response.json()) as { data: Details }).data
  return {
    lead: words[language](client.name),
    target: address.href,
    name: loginHint ?? undefined,
    // Whoever is signed in is enough where nobody was when the request came.
    asksAgain: query.has('other') || reasons.some((reason) => reason !== 'no_session'),
  }
}
