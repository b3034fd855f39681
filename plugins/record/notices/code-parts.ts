import type { TimeZone } from '../../../lib/time-zone.js'
import type { Language } from '../../../schemas/problems.js'
import { fill } from './fill.js'
import { invitationTexts } from './invitation-texts.js'
import type { Block } from './layout.js'
import type { PageLinks } from './page-links.js'
import { codeTexts, type CodePurpose } from './texts.js'

/** What an invitation says beside the code. */
export interface InvitationValues {
  /** Who invites; undefined where nobody is known by name. */
  by?: string | undefined
  /** Name of the tenant, unless it is that of everybody who names none. */
  tenantName?: string | undefined
  /** Of a mail; absent means that of the message. */
  languages?: Language[]
}

export interface CodeMessage {
  purpose: CodePurpose
  code: string
  language: Language
  /** Validity, seconds. */
  ttl: number
  /** End of the validity, epoch milliseconds. */
  expires: number
  /** Of the account, in messages that say it. */
  username?: string | undefined
  /** Of the account. */
  tenantId: number
  /** The address of the recipient, which a page fills in; without it the link is short. */
  to?: string | undefined
  invitation?: InvitationValues | undefined
}

interface Options {
  serviceName: string
  links: Pick<PageLinks, 'ofInvitation'>
  timeZone: Pick<TimeZone, 'toNamed'>
}

/** `5 minutes`, `24 hours`, in the given language. */
const describeDuration = (seconds: number, language: Language): string => {
  const [count, unit] = seconds >= 7200 ? [seconds / 3600, 'hour'] : [seconds / 60, 'minute']
  const written = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(count),
  )
  // As in all other texts: a space between digits and Chinese characters.
  return written.replace(/(\d)(?=\p{Script=Han})/u, '$1 ')
}

interface CodeParts {
  subject: string
  intro: string[]
  page: Block[]
  /** Where the code is typed. */
  link?: string | undefined
  before: string
  after: string
}

/** What stands around the code of a message to a contact of this kind, in one language. */
export const createCodeParts =
  ({ serviceName: service, links, timeZone }: Options) =>
  (message: CodeMessage, language: Language, kind: 'email' | 'phone'): CodeParts => {
    const { purpose, ttl, username = '', tenantId, to, invitation = {} } = message
    const validity = describeDuration(ttl, language)
    if (purpose !== 'invitation') {
      const { subject, before, after } = codeTexts[purpose]
      const read = (text: Record<Language, string>) => fill(text[language], { service, username, validity })
      return { subject: read(subject), intro: [], page: [], before: read(before), after: read(after) }
    }
    const { subject, intro, place, somebody, button, before, beforeOnPage, after } = invitationTexts
    const { by = somebody[language], tenantName: tenant } = invitation
    const where = tenant === undefined ? service : fill(place[language], { service, tenant })
    const contact = invitationTexts[kind][language]
    const values = { service, username, validity, by, place: where, contact, until: timeZone.toNamed(message.expires) }
    const read = (text: Record<Language, string>) => fill(text[language], values)
    const link = links.ofInvitation(to, tenantId)
    return {
      subject: read(subject),
      intro: [read(intro)],
      link,
      page: link === undefined ? [] : [{ button: read(button), to: link }],
      before: read(link === undefined ? before : beforeOnPage),
      after: read(after),
    }
  }
