import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

export interface ReceivedMail {
  to: string[]
  /** Headers and body as they came. */
  raw: string
}

/** Decodes what a mail says: quoted-printable or base64 bodies. */
export const bodyOf = (raw: string): string => {
  const [head = '', ...rest] = raw.split(/\r\n\r\n/)
  const body = rest.join('\r\n\r\n')
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/content-transfer-encoding: quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** A real SMTP server on loopback; `behaviour` may refuse every recipient or never answer. */
export const startMailServer = async (t: Test, behaviour: 'accept' | 'refuse' | 'hang' = 'accept') => {
  const mails: ReceivedMail[] = []
  let arrived: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect: (_session, done) => {
      if (behaviour !== 'hang') done()
    },
    onRcptTo: (_address, _session, done) =>
      done(behaviour === 'refuse' ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : undefined),
    onData: (stream, session, done) => {
      void text(stream).then((raw) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        for (const wake of arrived) wake()
        arrived = []
        done()
      })
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
