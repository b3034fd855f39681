import type { FastifyRequest } from 'fastify'
import { languageOf } from '../../../lib/language.js'
import type { Language } from '../../../schemas/problems.js'
import { toHtml } from './pages.js'

const words = {
  en: {
    tag: 'en',
    unavailable: 'This application cannot be opened',
    unavailableText: 'It is behind a sign-in that is not set up for this address.',
    tell: 'Tell the administrator of the application this number:',
    denied: (name: string) => `You may not use ${name}`,
    deniedHere: (name: string) => `You may not open this page of ${name}`,
    tenant: 'It is not open to people of your organization.',
    role: (role: string) => `It needs the role ${role}. An administrator gives roles.`,
    roles: (roles: string) => `It needs one of these roles: ${roles}. An administrator gives roles.`,
    who: (name: string) => `You are signed in as ${name}.`,
    other: 'Sign in as somebody else',
    signOut: 'Sign out',
    own: 'This page cannot be opened',
    ownText: (name: string) =>
      `You may use ${name}. It is the application itself, or the server in front of it, that refuses this page.`,
    over: 'This sign-in is over',
    overText: 'It was used already, it is more than ten minutes old, or it began in another browser.',
    badReturn: 'This link leads nowhere',
    badReturnText: (name: string) => `The page after the sign-in is no page of ${name}.`,
    back: (name: string) => `Go to ${name}`,
    leave: (name: string) => `Sign out of ${name}?`,
    leaveHere: (name: string) => `Sign out of ${name} only`,
    leaveAll: 'Sign out everywhere in this browser',
    leaveText: (name: string) =>
      `Everywhere means here, in all applications that you have signed in to in this browser, and in your account. If you sign out of ${name} only, you prove who you are when you come back.`,
    stay: 'Stay signed in',
    left: (name: string) => `You are signed out of ${name}`,
    leftAll: 'You are signed out',
    again: 'Sign in again',
  },
  zh: {
    tag: 'zh-CN',
    unavailable: '无法打开此应用',
    unavailableText: '该应用需要登录，但登录服务未针对此地址进行设置。',
    tell: '请把以下编号告诉该应用的管理员：',
    denied: (name: string) => `您无权使用 ${name}`,
    deniedHere: (name: string) => `您无权打开 ${name} 的此页面`,
    tenant: '它未向您所在的组织开放。',
    role: (role: string) => `需要角色 ${role}。角色由管理员授予。`,
    roles: (roles: string) => `需要以下角色之一：${roles}。角色由管理员授予。`,
    who: (name: string) => `您当前以 ${name} 的身份登录。`,
    other: '使用其他账号登录',
    signOut: '退出登录',
    own: '无法打开此页面',
    ownText: (name: string) => `您可以使用 ${name}。此页面是被应用本身或其前面的服务器拒绝的。`,
    over: '此次登录已结束',
    overText: '它已被使用、已超过十分钟，或是在另一个浏览器中开始的。',
    badReturn: '此链接无效',
    badReturnText: (name: string) => `登录后要前往的页面不属于 ${name}。`,
    back: (name: string) => `前往 ${name}`,
    leave: (name: string) => `要退出 ${name} 吗？`,
    leaveHere: (name: string) => `仅退出 ${name}`,
    leaveAll: '退出此浏览器中的所有登录',
    leaveText: (name: string) =>
      `“所有登录”包括此处、您在此浏览器中登录的所有应用，以及您的账号页面。如果仅退出 ${name}，下次使用时需要重新验证身份。`,
    stay: '保持登录',
    left: (name: string) => `您已退出 ${name}`,
    leftAll: '您已退出登录',
    again: '重新登录',
  },
} satisfies Record<Language, unknown>

/** Where the proxy asks about a host that is no application's, or does not say enough. */
export const unavailablePage = (request: FastifyRequest): string => {
  const text = words[languageOf(request)]
  return toHtml(text.tag, { title: text.unavailable, lines: [text.unavailableText, `${text.tell} ${request.id}`] })
}

interface Refused {
  application: string
  person: string
  /** Of which one is needed; empty where the tenant of the person is not let in. */
  roles: string[]
  /** Whether the application itself is open to the person, and this page is not. */
  isPart: boolean
  otherHref: string
  signOutHref: string
}

export const refusedPage = (
  request: FastifyRequest,
  { application, person, roles, isPart, otherHref, signOutHref }: Refused,
): string => {
  const text = words[languageOf(request)]
  const [role = '', ...others] = roles
  const why = roles.length === 0 ? text.tenant : others.length === 0 ? text.role(role) : text.roles(roles.join(', '))
  return toHtml(text.tag, {
    title: isPart ? text.deniedHere(application) : text.denied(application),
    lines: [why, text.who(person)],
    links: [
      { text: text.other, href: otherHref },
      { text: text.signOut, href: signOutHref },
    ],
  })
}

/** A page that says one thing, and leads back to the application. */
const wayBack =
  (of: (text: (typeof words)[Language], application: string) => [title: string, line: string]) =>
  (request: FastifyRequest, application: string, backHref: string): string => {
    const text = words[languageOf(request)]
    const [title, line] = of(text, application)
    return toHtml(text.tag, { title, lines: [line], links: [{ text: text.back(application), href: backHref }] })
  }

/** Where somebody passes, and the page is refused nevertheless. */
export const ownRefusalPage = wayBack(({ own, ownText }, application) => [own, ownText(application)])
export const overPage = wayBack(({ over, overText }) => [over, overText])
export const badReturnPage = wayBack(({ badReturn, badReturnText }, application) => [
  badReturn,
  badReturnText(application),
])

interface Leaving {
  application: string
  person: string
  action: string
  /** Whether the host is that of the service itself, where one cannot be left without the other. */
  isOwn: boolean
  stayHref: string
}

export const leavePage = (
  request: FastifyRequest,
  { application, person, action, isOwn, stayHref }: Leaving,
): string => {
  const text = words[languageOf(request)]
  // In the address: proxies pass no bodies on to us.
  const form = (from: 'here' | 'everywhere', submit: string) => ({
    action: `${action}?from=${from}`,
    fields: {},
    submit,
  })
  const [here, all] = [form('here', text.leaveHere(application)), form('everywhere', text.leaveAll)]
  return toHtml(text.tag, {
    title: text.leave(application),
    lines: [text.who(person), ...(isOwn ? [] : [text.leaveText(application)])],
    forms: isOwn ? [all] : [here, all],
    links: [{ text: text.stay, href: stayHref }],
  })
}

export const leftPage = (
  request: FastifyRequest,
  { application, isEverywhere, signInHref }: { application: string; isEverywhere: boolean; signInHref: string },
): string => {
  const text = words[languageOf(request)]
  return toHtml(text.tag, {
    title: isEverywhere ? text.leftAll : text.left(application),
    lines: [],
    links: [{ text: text.again, href: signInHref }],
  })
}
