import type { Test } from 'tap'
import { startFederation } from '../helpers/peers/federation.js'
import { sendJson, type Fault } from '../helpers/peers/hostile-provider.js'
import { startMailServer } from '../helpers/peers/mail-server.js'
import { startPeer } from '../helpers/peers/http-peer.js'
import { reportsSecret, sha256 } from '../helpers/service/resource-server.js'
import { codeIn } from '../helpers/service/self-service.js'
import { adminPassword, userPassword } from '../helpers/service/server.js'
import { ownKey } from '../helpers/service/token.js'
import { bodyOf } from '../helpers/peers/mail-server.js'
import { collectSecrets } from './secret-collector.js'

export const webhookSecret = 'shared-with-the-gateway-4711'

/** A provider that refuses every code and says in its refusal what it was asked with. */
const talkative: Fault = {
  take: {
    token: (request, response, { clientSecret }, body) =>
      sendJson(response, 400, {
        error: 'invalid_grant',
        error_description: `${body.get('code')} ${body.get('code_verifier')} ${clientSecret} ${request.headers.authorization}`,
      }),
  },
}

/** A server with everything that has secrets, whose every request is remembered by a collector. */
export const startWithSecrets = async (t: Test) => {
  const mailServer = await startMailServer(t)
  const gateway = await startPeer(t, () => ({ status: 200 }))
  const federation = await startFederation(t, {
    platforms: { corporate: {}, talkative },
    environment: { ROLLCALL_DEV_ECHO: '1', SMTP_URL: mailServer.url },
    settings: {
      captcha: { mode: 'never' },
      registration: { mode: 'open' },
      clients: { pc: { maxSessions: 100 } },
      lockout: { nameFailures: 100 },
      introspection: { clients: [{ id: 'reports', secret: sha256(reportsSecret) }] },
      sms: { sender: 'webhook', webhook: { url: `${gateway.url}/sms`, secret: webhookSecret } },
    },
  })
  const { server } = federation
  const collector = collectSecrets(server)
  const known = [adminPassword, userPassword, reportsSecret, sha256(reportsSecret), webhookSecret]
  for (const secret of [...known, server.app.installation.secret]) collector.keep(secret)
  collector.keep((await ownKey(server)).export({ format: 'jwk' }).d ?? '', 'the signing key')

  return {
    ...federation,
    collector,
    /** The newest code that was mailed once `action` has caused a mail. */
    mailedCode: async (action: () => Promise<unknown>): Promise<string> => {
      const count = mailServer.mails.length
      await action()
      // A notice of what was done before may come first.
      for (let index = count; ; index++) {
        const code = codeIn(bodyOf((await mailServer.waitFor(index + 1))[index]?.raw ?? ''))
        if (code !== '') return collector.keep(code, 'a mail')
      }
    },
    textedCode: async (action: () => Promise<unknown>): Promise<string> => {
      const count = gateway.received.length
      await action()
      await gateway.waitFor(count + 1)
      return collector.keep(codeIn(gateway.received[count]?.body ?? ''), 'a text message')
    },
    /** Everything that the providers, and the stored accounts, hold back. */
    async keepRest(): Promise<void> {
      for (const platform of ['corporate', 'talkative']) {
        for (const secret of federation.provider(platform).secrets) collector.keep(secret, `the provider ${platform}`)
      }
      for (let id = 1; id < 100; id++) {
        const user = await server.app.db.users.find(id)
        if (typeof user?.passwordHash === 'string') collector.keep(user.passwordHash, `the stored hash of user ${id}`)
      }
    },
  }
}

export type WithSecrets = Awaited<ReturnType<typeof startWithSecrets>>
