import { createHash, randomBytes } from 'node:crypto'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { browserCookie, startFederation } from '../../helpers/peers/federation.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A state as version 0.1.0 kept it: only the hash of the cookie, called `browser`, and no verifier. */
const startBefore = async (...[t, options]: Parameters<typeof startFederation>) => {
  const federation = await startFederation(t, options)
  const { encryption, store } = federation.server.app
  return {
    ...federation,
    beginBefore: async () => {
      const cookie = randomBytes(16).toString('base64url')
      const { body } = await federation.begin()
      const key = `federation:state:${sha256(body.data.state)}`
      const encrypted = await store.take(key)
      const kept = JSON.parse(encryption.decrypt(encrypted ?? '', key)) as Record<string, unknown>
      delete kept['cookieHash']
      delete kept['verifierHash']
      const before = JSON.stringify({ ...kept, browser: sha256(cookie) })
      await store.set(key, encryption.encrypt(before, key), 600_000)
      const back = federation.provider('corporate').visit(body.data.authUrl)
      return { cookie: `${browserCookie}=${cookie}`, back: { platform: 'corporate', ...back } }
    },
  }
}

const site = { 'sec-fetch-site': 'same-origin' }

test('O1: a sign-in that began before the upgrade is finished by the browser that began it', async (t) => {
  const { beginBefore, callback, signIn } = await startBefore(t)
  const first = await beginBefore()
  expectSuccess(t, await callback(first.back, { ...site, cookie: first.cookie }))
  const { back, cookie } = await beginBefore()
  expectSuccess(t, await signIn({ authType: 'oauth2', authCode: back.code, state: back.state }, { cookie }))
  const app = await beginBefore()
  expectSuccess(t, await callback(app.back))
})

test('O1: a sign-in that began before the upgrade is finished by nobody else, and none of it is a fault of the server', async (t) => {
  const { beginBefore, callback, signIn, begin } = await startBefore(t)
  const other = (await begin()).body.data.verifier
  const rows = [
    { name: 'another cookie', headers: { cookie: `${browserCookie}=${'x'.repeat(22)}` } },
    { name: 'neither, from a browser', headers: site },
    { name: 'a verifier of another beginning', verifier: other, headers: {} },
    { name: 'a verifier of another beginning, with the cookie', verifier: other, isOwn: true, headers: site },
    { name: 'the word that JavaScript has for nothing', verifier: 'undefined', headers: {} },
  ]
  for (const { name, headers, verifier, isOwn } of rows) {
    for (const way of ['callback', 'login']) {
      t.comment(`${name}, ${way}`)
      const { cookie, back } = await beginBefore()
      const sent = { ...headers, ...(isOwn ? { cookie } : {}) } as Record<string, string>
      const answer =
        way === 'callback'
          ? await callback({ ...back, verifier }, sent)
          : await signIn({ authType: 'oauth2', authCode: back.code, state: back.state, verifier }, sent)
      expectProblem(t, answer, 'invalid_grant')
      t.notMatch(answer.text, /accessToken|socialTicket/)
      expectProblem(t, await callback(back, { ...site, cookie }), 'invalid_grant')
    }
  }
})
