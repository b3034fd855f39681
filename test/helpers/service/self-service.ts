import type { Test } from 'tap'
import { bodyOf, startMailServer } from '../peers/mail-server.js'
import { startPeer } from '../peers/http-peer.js'
import { startServer, type ServerOptions } from './server.js'

export const email = 'alice@example.com'
export const phone = '13800138000'

/** The code in the plain text of a mail or in the body of a text message. */
export const codeIn = (text: string): string => /\b(\d{6})\b/.exec(text)?.[1] ?? ''

/** Another code than this one. */
export const another = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** A server that sends mail and text messages, with the user `alice`. */
export const startWithMessages = async (t: Test, options: ServerOptions = {}) => {
  const mailServer = await startMailServer(t)
  const gateway = await startPeer(t, () => ({ status: 200 }))
  const sms = { sender: 'webhook', webhook: { url: `${gateway.url}/sms`, secret: 'shared with the gateway' } }
  const server = await startServer(t, {
    ...options,
    settings: { sms, ...options.settings },
    environment: { SMTP_URL: mailServer.url, MAIL_FROM: 'Rollcall <codes@example.com>', ...options.environment },
  })
  const alice = await server.addUser('alice', { email, phone, realName: 'Alice Liddell' })

  /** Runs `action` and resolves to the plain text of the mail that it causes. */
  const mailAfter = async (action: () => Promise<unknown>): Promise<string> => {
    const count = mailServer.mails.length
    await action()
    return bodyOf((await mailServer.waitFor(count + 1))[count]?.raw ?? '')
  }

  return {
    server,
    mailServer,
    gateway,
    alice,
    mailAfter,
    post: (path: string, json: object, headers: Record<string, string> = {}) =>
      server.call('POST', path, { json, headers }),
    /** The code in the mail that `action` causes. */
    mailedCode: async (action: () => Promise<unknown>) => codeIn(await mailAfter(action)),
    /** The text messages that have been sent so far. */
    textMessages: () =>
      gateway.received.map(({ body }) => JSON.parse(body) as { phone: string; code?: string; text: string }),
  }
}

export type WithMessages = Awaited<ReturnType<typeof startWithMessages>>
