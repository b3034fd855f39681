import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '../../../lib/language.js'
import type { Language } from '../../../schemas/problems.js'

const words = {
  en: {
    tag: 'en',
    failed: 'You cannot be signed in',
    failedText: 'The application has asked in a way that is not accepted. Go back to it and try again.',
    tell: 'If this happens again, tell the administrator of the application this number:',
    over: 'This sign-in is over',
    overText:
      'It was used already, or it is more than an hour old. Go back to the application and sign in there again.',
    denied: (name: string) => `You may not use ${name}`,
    deniedTenant: 'It is not open to people of your organization.',
    deniedRole: 'It needs a role that you do not have. An administrator gives roles.',
    who: (name: string) => `You are signed in as ${name}.`,
    other: 'Sign in as somebody else',
    back: (name: string) => `Back to ${name}`,
    leave: 'Sign out?',
    leaveAsked: (name: string) =>
      `${name} asks you to sign out here and in all applications that you have signed in to from here.`,
    leaveAll: 'You will be signed out here and in all applications that you have signed in to from here.',
    yes: 'Sign out',
    no: 'Stay signed in',
  },
  zh: {
    tag: 'zh-CN',
    failed: '无法登录',
    failedText: '应用发来的请求不被接受。请返回该应用后重试。',
    tell: '如果再次出现，请把以下编号告诉该应用的管理员：',
    over: '此次登录已结束',
    overText: '它已被使用，或已超过一小时。请返回该应用重新登录。',
    denied: (name: string) => `您无权使用 ${name}`,
    deniedTenant: '它未向您所在的组织开放。',
    deniedRole: '它需要您没有的角色。角色由管理员授予。',
    who: (name: string) => `您当前以 ${name} 的身份登录。`,
    other: '使用其他账号登录',
    back: (name: string) => `返回 ${name}`,
    leave: '要退出登录吗？',
    leaveAsked: (name: string) => `${name} 请求您在此处以及从此处登录的所有应用中退出登录。`,
    leaveAll: '您将在此处以及从此处登录的所有应用中退出登录。',
    yes: '退出登录',
    no: '保持登录',
  },
} satisfies Record<Language, unknown>

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export interface Page {
  title: string
  /** Texts, which are escaped here. */
  lines: string[]
  links?: { text: string; href: string }[]
  forms?: { action: string; fields: Record<string, string>; submit: string }[]
}

const formHtml = ({ action, fields, submit }: NonNullable<Page['forms']>[number]): string =>
  `<form method="post" action="${escape(action)}">
${Object.entries(fields)
  .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
  .join('\n')}
<button>${escape(submit)}</button>
</form>`

/** A page without scripts and styles: it has to work wherever an application has led a browser. */
export const toHtml = (tag: string, { title, lines, links = [], forms = [] }: Page): string => `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${lines.map((line) => `<p>${escape(line)}</p>`).join('\n')}
${forms.map(formHtml).join('\n')}
${links.map(({ text, href }) => `<p><a href="${escape(href)}">${escape(text)}</a></p>`).join('\n')}
</main>
</body>
</html>
`

/** What a person sees where an application cannot sign them in. */
export const failedPage = (request: FastifyRequest): string => {
  const text = words[languageOf(request)]
  return toHtml(text.tag, { title: text.failed, lines: [text.failedText, `${text.tell} ${request.id}`] })
}

export const overPage = (request: FastifyRequest): string => {
  const text = words[languageOf(request)]
  return toHtml(text.tag, { title: text.over, lines: [text.overText] })
}

interface Denied {
  application: string
  person: string
  reason: 'tenant' | 'role'
  /** Where somebody else signs in. */
  otherHref: string
  /** Where the application is told. */
  backHref: string
}

export const deniedPage = (
  request: FastifyRequest,
  { application, person, reason, otherHref, backHref }: Denied,
): string => {
  const text = words[languageOf(request)]
  return toHtml(text.tag, {
    title: text.denied(application),
    lines: [reason === 'tenant' ? text.deniedTenant : text.deniedRole, text.who(person)],
    links: [
      { text: text.other, href: otherHref },
      { text: text.back(application), href: backHref },
    ],
  })
}

interface Logout {
  person: string
  application: string | undefined
  /** What the application has sent. */
  fields: Record<string, string>
  action: string
  stayHref: string
}

export const logoutPage = (
  request: FastifyRequest,
  { person, application, fields, action, stayHref }: Logout,
): string => {
  const text = words[languageOf(request)]
  return toHtml(text.tag, {
    title: text.leave,
    lines: [application === undefined ? text.leaveAll : text.leaveAsked(application), text.who(person)],
    forms: [{ action, fields, submit: text.yes }],
    links: [{ text: text.no, href: stayHref }],
  })
}

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'Accept-Language, Cookie',
}

export const sendPage = (reply: FastifyReply, status: number, html: string): void => {
  void reply.code(status).headers(pageHeaders).send(html)
}
