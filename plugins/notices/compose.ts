import type { Language } from '../../schemas/problems.js'
import { codeSent, codeTexts, noticeFrame, noticeTexts, type CodePurpose, type Notice } from './texts.js'

/** A message as mail, with the same text as plain text and as HTML. A text message has only the `text`. */
export interface Content {
  subject: string
  text: string
  html: string
}

type Values = Record<string, string>

const fill = (text: string, values: Values) => text.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** Names of users and of the service are escaped. There are no pictures and no links, which could show who reads the mail. */
const toHtml = (language: Language, paragraphs: string[]): string =>
  [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head><meta charset="utf-8"></head>',
    '<body>',
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    '</body>',
    '</html>',
  ].join('\n')

const toContent = (language: Language, subject: string, paragraphs: string[]): Content => ({
  subject,
  text: paragraphs.join('\n\n'),
  html: toHtml(language, paragraphs),
})

/** `5 minutes`, `24 hours`, in the given language. */
const describeDuration = (seconds: number, language: Language): string => {
  const [count, unit] = seconds >= 7200 ? [seconds / 3600, 'hour'] : [seconds / 60, 'minute']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(count))
}

export interface CodeMessage {
  purpose: CodePurpose
  code: string
  language: Language
  /** Validity, seconds. */
  ttl: number
  /** Of the account, in messages that say it. */
  username?: string | undefined
}

/** Writes all messages to users, in English and Chinese. `service` is the name of the service. */
export const createComposer = (service: string) => ({
  code({ purpose, code, language, ttl, username = '' }: CodeMessage): Content {
    const values = { service, code, username, validity: describeDuration(ttl, language) }
    const { subject, body } = codeTexts[purpose]
    return toContent(language, fill(subject[language], values), [fill(body[language], values)])
  },

  /** The `message` of the response to a request for a code. */
  codeSent: (language: Language): string => codeSent[language],

  /** Both languages, `first` first: the language of the request may not be that of the owner, if a thief sent it. */
  notice(notice: Notice, first: Language, more: Values): Content {
    const values = { service, ...more }
    const languages: Language[] = first === 'en' ? ['en', 'zh'] : ['zh', 'en']
    const texts = languages.flatMap((language) => [
      noticeFrame.greeting[language],
      noticeTexts[notice][language],
      noticeFrame.advice[language],
    ])
    return toContent(
      first,
      fill(noticeFrame.subject[first], values),
      texts.map((text) => fill(text, values)),
    )
  },

  /** The notice as a text message: one sentence. */
  shortNotice: (notice: Notice, language: Language, values: Values): string =>
    `${service}: ${fill(noticeTexts[notice][language], values)}`,
})

export type Composer = ReturnType<typeof createComposer>
