import type { TimeZone } from '../../../lib/time-zone.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Language } from '../../../schemas/problems.js'
import { colonBefore, layOut, type Block, type Content, type Section } from './layout.js'
import type { PageLinks } from './page-links.js'
import { noticeFrame, noticeTexts, reminders, type Notice } from './notice-texts.js'
import { createCodeParts, type CodeMessage } from './code-parts.js'
import { fill } from './fill.js'
import { codeSent } from './texts.js'

/** What a notice says of the account and of the change. */
export interface NoticeValues {
  tenantId: number
  username: string
  realName: string
  /** Network address from which the change came. */
  address: string
  /** Local time with the name of its zone. */
  time: string
  /** Name of the identity provider, where a link changed. */
  platform?: string
  /** Of the person; absent when unknown. */
  language?: Language | undefined
}

interface Options {
  serviceName: string
  color: string
  /** Of notices. */
  language: Settings['mail']['language']
  links: PageLinks
  /** Of the pages on which codes of text messages are typed; undefined when it is not known. */
  host: string | undefined
  timeZone: Pick<TimeZone, 'toNamed'>
}

const linkBlock = (link: string | undefined): Block[] => (link === undefined ? [] : [{ link }])

const other: Record<Language, Language> = { en: 'zh', zh: 'en' }

/** Writes all messages to users, in English and Chinese. */
export const createComposer = (options: Options) => {
  const { serviceName: service, color, language: noticeLanguage, links, host } = options
  const layout = { service, color }
  const partsOf = createCodeParts(options)

  /** Who causes a message may not be its reader: the language of the request, `first`, only comes first where that of the reader is unknown. */
  const languagesOf = (first: Language, known?: Language): Language[] => {
    if (noticeLanguage === 'en' || noticeLanguage === 'zh') return [noticeLanguage]
    if (noticeLanguage === 'user' && known !== undefined) return [known]
    const begin = known ?? first
    return [begin, other[begin]]
  }

  return {
    languagesOf,

    code(message: CodeMessage): Content {
      const { code, language, invitation } = message
      const sections = (invitation?.languages ?? [language]).map((language) => ({
        language,
        ...partsOf(message, language, 'email'),
      }))
      return layOut(
        layout,
        sections.map(({ subject }) => subject).join(' / '),
        sections.map(({ language, intro, page, before, after }) => ({
          language,
          blocks: [...intro, ...page, before, { code }, after],
        })),
      )
    },

    /**
     * The same as a text message: one paragraph, and below it the host and the code in the form of origin-bound one-time codes: phones
     * offer the code on pages of this host only.
     */
    shortCode(message: CodeMessage): string {
      const { code, language } = message
      const { intro, link, before, after } = partsOf({ ...message, to: undefined }, language, 'phone')
      const paragraph =
        language === 'zh'
          ? // Blanks around the address: phones take characters beside it for a part of it.
            [...intro, ...(link === undefined ? [] : [` ${link} `]), `${before}${code}。${after}`].join('')
          : [...intro, ...(link === undefined ? [] : [link]), `${before} ${code}. ${after}`].join(' ')
      return host === undefined ? paragraph : `${paragraph}\n@${host} #${code}`
    },

    /** The `message` of the response to a request for a code. */
    codeSent: (language: Language): string => codeSent[language],

    notice(notice: Notice, first: Language, values: NoticeValues): Content {
      const languages = languagesOf(first, values.language)
      const { subject, text } = noticeTexts[notice]
      const readIn = (language: Language) => (text: Record<Language, string>) => fill(text[language], { ...values })
      const sectionIn = (language: Language): Section => {
        const read = readIn(language)
        const { greeting, time, address, advice } = noticeFrame
        const facts: [string, string][] = [
          [time[language], values.time],
          [address[language], values.address],
        ]
        const link = linkBlock(links.ofNotice(notice, values.tenantId))
        const ofCause = reminders.includes(notice) ? [] : [{ facts }, read(advice)]
        return { language, blocks: [read(greeting), read(text), ...ofCause, ...link] }
      }
      const subjects = languages.map((language) => readIn(language)(subject)).join(' / ')
      return layOut(layout, `${service}${colonBefore(languages[0] ?? first, subjects)}`, languages.map(sectionIn))
    },

    /** The notice as a text message: a sentence in each language. */
    shortNotice(notice: Notice, first: Language, values: NoticeValues): string {
      const languages = languagesOf(first, values.language)
      const texts = languages.map((language) => fill(noticeTexts[notice].text[language], { ...values }))
      return `${service}${colonBefore(languages[0] ?? first, texts.join(' '))}`
    },
  }
}

export type Composer = ReturnType<typeof createComposer>
