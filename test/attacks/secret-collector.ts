import type { Test } from 'tap'
import type { Answer, CallOptions, TestServer } from '../helpers/service/server.js'

/** Fields whose values nobody else may see, wherever they come or go. */
const secretFields = new Set(
  [
    ...['password', 'oldPassword', 'newPassword', 'passwordHash', 'secret', 'client_secret'],
    ...['code', 'codeKey', 'phoneCode', 'emailCode', 'accessToken', 'token', 'tokenValue'],
    ...['socialTicket', 'authCode', 'state', 'verifier', 'nonce'],
    ...['ticket', 'contactCode', 'contactCodeKey', 'recoveryCodes', 'challenge'],
  ].map((name) => name.toLowerCase()),
)
/** What is shorter is somewhere by chance. */
const minLength = 6
/** All pages of a list are read up to here. */
const pageSize = 100

/** The forms in which a text may lie somewhere. */
const formsOf = (text: string): string[] => {
  const bytes = Buffer.from(text)
  const encoded = [bytes.toString('base64'), bytes.toString('base64url')].map((form) => form.replace(/=+$/, ''))
  return [
    ...new Set([
      text,
      encodeURIComponent(text),
      encodeURI(text),
      text.replaceAll(' ', '+'),
      JSON.stringify(text).slice(1, -1),
    ]),
    ...encoded.filter((form) => form.length >= minLength),
  ]
}

/** Digits of a number that is longer are no code. */
const contains = (content: string, form: string): boolean =>
  /^\d+$/.test(form) ? new RegExp(`(?<![\\d.])${form}(?![\\d.])`).test(content) : content.includes(form)

/** A `call` that remembers every secret that goes in or comes out, and all refusals. */
export const collectSecrets = (server: Pick<TestServer, 'call' | 'log'>) => {
  const secrets = new Map<string, string>()
  const refusals: { what: string; content: string }[] = []

  /** Remembers a secret that lies where no field tells so. */
  const keep = (text: string, where = 'known to the test'): string => {
    if (text.length >= minLength && !secrets.has(text)) secrets.set(text, where)
    return text
  }
  const keepToken = (text: string, where: string) => {
    keep(text, where)
    // A signature alone identifies a token.
    if (text.split('.').length === 3) keep(text.slice(text.lastIndexOf('.') + 1), `the signature in ${where}`)
  }
  const keepUnder = (value: unknown, where: string, isSecret = false): void => {
    if (typeof value === 'string' && isSecret) keepToken(value, where)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const isInner = isSecret || secretFields.has(name.toLowerCase())
        keepUnder(inner, `${name} of ${where}`, isInner)
        if (name === 'authUrl') keepUnder(Object.fromEntries(new URL(String(inner)).searchParams), where)
      }
    }
  }
  const keepHeaders = (headers: [string, string][], where: string) => {
    for (const [name, value] of headers) {
      if (name === 'authorization') keepToken(value.replace(/^\S+ /, ''), `${name} of ${where}`)
      if (name === 'cookie' || name === 'set-cookie') {
        for (const pair of value.split(name === 'cookie' ? ';' : /;.*/)) {
          keep(pair.slice(pair.indexOf('=') + 1), `${name} of ${where}`)
        }
      }
    }
  }

  const call = async <T = any>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> => {
    const what = `${method} ${path}`
    const { json, form, query, token, headers = {} } = options
    const fields = typeof query === 'string' ? Object.fromEntries(new URLSearchParams(query)) : query
    for (const sent of [json, form, fields]) keepUnder(sent, what)
    keepUnder(Object.fromEntries(new URLSearchParams(path.split('?')[1])), what)
    if (token !== undefined) keepToken(token, `authorization of ${what}`)
    keepHeaders(Object.entries(headers), what)
    const answer = await server.call<T>(method, path, options)
    keepUnder(answer.body, `the answer to ${what}`)
    keepHeaders(
      answer.headers.getSetCookie().map((line) => ['set-cookie', line]),
      what,
    )
    if (answer.status >= 400) {
      refusals.push({ what: `${answer.status} of ${what}`, content: answer.text + JSON.stringify([...answer.headers]) })
    }
    return answer
  }

  /** All rows of a list. */
  const readList = async (path: string, token: string): Promise<string> => {
    let text = ''
    for (let pageNum = 1, pages = 1; pageNum <= pages; pageNum++) {
      const answer = await server.call('GET', path, { token, query: { pageNum, pageSize } })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
      pages = answer.body.data.pages
      text += JSON.stringify(answer.body.data.records)
    }
    return text
  }

  const leaksIn = (content: string): string[] =>
    [...secrets]
      .filter(([text]) => formsOf(text).some((form) => contains(content, form)))
      .map(([text, where]) => `${where} (${text.slice(0, 12)}…)`)

  return {
    call,
    keep,
    secrets,
    refusals,
    leaksIn,
    /** Asserts that no secret is in the log, in a refusal or in a list that administrators read. */
    expectNoLeaks: async (t: Test, adminToken: string, lists: string[]): Promise<void> => {
      // By line, so that a leak names its place.
      for (const line of server.log().split('\n')) {
        const found = leaksIn(line)
        if (found.length > 0) t.same(found, [], `the log: ${line.slice(0, 1000)}`)
      }
      t.same(leaksIn(server.log()), [], 'the log holds no secret')
      for (const { what, content } of refusals) {
        const found = leaksIn(content)
        if (found.length > 0) t.same(found, [], `${what}: ${content.slice(0, 1000)}`)
      }
      for (const path of lists) t.same(leaksIn(await readList(path, adminToken)), [], `${path} holds no secret`)
      t.comment(
        `${secrets.size} secrets, ${server.log().length} characters of the log, ${refusals.length} refusals: no secret in them`,
      )
    },
  }
}

export type Collector = ReturnType<typeof collectSecrets>
