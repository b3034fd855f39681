import { createHash, randomBytes } from 'node:crypto'
import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { browserCookie, startFederation } from '../../helpers/peers/federation.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

test('a sign-in that began at version 0.1.0 has to begin again: its state is refused, and is no fault of the server', async (t) => {
  const { server, begin, provider, callback, signIn } = await startFederation(t)
  const { encryption, store } = server.app
  for (const way of ['callback', 'login']) {
    const cookie = randomBytes(16).toString('base64url')
    const { body } = await begin()
    const key = `federation:state:${sha256(body.data.state)}`
    const encrypted = await store.take(key)
    const { cookieHash, verifierHash, ...kept } = JSON.parse(encryption.decrypt(encrypted ?? '', key)) as Record<
      string,
      unknown
    >
    t.ok(cookieHash && verifierHash)
    // As that version kept it: only the hash of the cookie, called `browser`, and no verifier.
    await store.set(key, encryption.encrypt(JSON.stringify({ ...kept, browser: sha256(cookie) }), key), 600_000)
    const { code, state } = provider('corporate').visit(body.data.authUrl)
    const headers = { 'sec-fetch-site': 'same-origin', cookie: `${browserCookie}=${cookie}` }
    const answer =
      way === 'callback'
        ? await callback({ platform: 'corporate', code, state }, headers)
        : await signIn({ authType: 'oauth2', authCode: code, state }, headers)
    expectProblem(t, answer, 'invalid_grant')
    t.notMatch(answer.text, /accessToken|socialTicket/)
  }
})
