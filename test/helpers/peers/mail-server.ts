import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

export interface ReceivedMail {
  to: string[]
  /** The name by which the sender greeted the server. */
  greeting: string
  /** Headers and body as they came. */
  raw: string
}

/** Decodes quoted-printable or base64 content. */
const decode = (part: string): string => {
  const [head = '', ...rest] = part.split(/\r\n\r\n/)
  const body = rest.join('\r\n\r\n')
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/content-transfer-encoding: quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const partOf = (raw: string, type: string): string => {
  const boundary = /boundary="([^"]+)"/i.exec(raw)?.[1]
  const parts = boundary === undefined ? [raw] : raw.split(`--${boundary}`).slice(1)
  const part = parts.find((text) => new RegExp(`content-type: ${type}`, 'i').test(text.split(/\r\n\r\n/)[0] ?? ''))
  return part === undefined ? '' : decode(part.replace(/^\r\n/, ''))
}

/** The plain text of a mail. */
export const bodyOf = (raw: string): string => partOf(raw, 'text/plain')

/** The HTML of a mail. */
export const htmlOf = (raw: string): string => partOf(raw, 'text/html')

/** The subject of a mail, decoded. */
export const subjectOf = (raw: string): string =>
  (/^Subject: (.*(?:\r\n[ \t].*)*)/im.exec(raw)?.[1] ?? '')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_match, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decode(`content-transfer-encoding: quoted-printable\r\n\r\n${text.replaceAll('_', ' ')}`),
    )

/** What a server answers to the recipient of a mail: a strict one wants a greeting with a name that has a dot. */
const refusalOf = (behaviour: Behaviour, greeting: string): Error | undefined => {
  if (typeof behaviour === 'function') return behaviour()
  if (behaviour === 'refuse') return Object.assign(new Error('no such mailbox'), { responseCode: 550 })
  if (behaviour !== 'strict' || /^[^[]+\..+$/.test(greeting)) return undefined
  const text = `5.5.2 <${greeting}>: Helo command rejected: need fully-qualified hostname`
  return Object.assign(new Error(text), { responseCode: 504 })
}

type Behaviour = 'accept' | 'refuse' | 'hang' | 'strict' | 'guarded' | (() => Error | undefined)

/** A real SMTP server on loopback; `behaviour` may refuse every recipient, those of a bad greeting, every sign-in (guarded), or never answer; a function says what is wrong with one. */
export const startMailServer = async (t: Test, behaviour: Behaviour = 'accept') => {
  const mails: ReceivedMail[] = []
  let arrived: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: behaviour === 'guarded' ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('5.7.8 wrong word'), { responseCode: 535 })),
    onConnect: (_session, done) => {
      if (behaviour !== 'hang') done()
    },
    onRcptTo: (_address, { hostNameAppearsAs }, done) => done(refusalOf(behaviour, hostNameAppearsAs)),
    onData: (stream, session, done) => {
      const keep = (raw: string) => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          greeting: session.hostNameAppearsAs,
          raw,
        })
        for (const wake of arrived) wake()
        arrived = []
        done()
      }
      // A sender that was killed leaves half a mail.
      text(stream).then(keep, done)
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Resolves when so many mails have come. */
    async waitFor(count: number): Promise<ReceivedMail[]> {
      while (mails.length < count) await new Promise<void>((resolve) => arrived.push(resolve))
      return mails
    },
  }
}
