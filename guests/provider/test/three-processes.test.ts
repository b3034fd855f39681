import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { test } from 'tap'
import { eventually, type ServerProcess } from '../../../test/helpers/processes/process.js'
import { startThree, type Three } from '../../../test/helpers/processes/three-processes.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { createPageBrowser, ownPage } from '../../../test/helpers/service/page-browser.js'
import { userPassword } from '../../../test/helpers/service/passwords.js'
import { redirectUri } from './start-provider.js'
import { startListener } from './start-listener.js'

// Where nothing listens: each request names the process that it means.
const issuer = 'http://127.0.0.1:9'
const provider = { enabled: true, allowPrivateAddresses: true }

/** Somebody who is signed in at one process, and whose browser and application ask any other. */
const enter = async (three: Three, secret: string, index: number) => {
  const browser = createPageBrowser(three.at(index))
  const json = { username: 'alice', password: userPassword, cookie: true }
  const { body } = await browser.post('/auth/login', { headers: ownPage, json })
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')

  /** A code by one process, tokens by another. */
  const sign = async (from: ServerProcess, to: ServerProcess) => {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      ...{ client_id: 'grafana', redirect_uri: redirectUri, response_type: 'code', scope: 'openid profile' },
      ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
    })
    const asked = await fetch(`${from.origin}/oidc/authorize?${query.toString()}`, {
      redirect: 'manual',
      headers: { cookie },
    })
    const code = new URL(asked.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const answer = await fetch(`${to.origin}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`grafana:${secret}`).toString('base64')}` },
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
      }),
    })
    return (await answer.json()) as { access_token: string; id_token: string }
  }
  return { token: (body.data as { accessToken: string }).accessToken, sign }
}

const infoAt = async ({ origin }: ServerProcess, token: string): Promise<number> =>
  (await fetch(`${origin}/oidc/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status

const startWithApplication = async (t: Parameters<typeof startThree>[0]) => {
  const three = await startThree(t, { issuer, provider })
  await three.operator.addUser({
    ...{ username: 'alice', realName: 'alice', password: userPassword, forcePasswordChange: false },
  })
  const listener = await startListener(t, issuer, three.at(1).origin)
  const admin = await three.signIn(0, 'admin')
  const json = {
    ...{ id: 'grafana', name: 'Grafana', redirectUris: [redirectUri], consent: 'never' },
    backchannelLogoutUri: listener.uri,
  }
  const { secret = '' } = expectSuccess(t, await three.at(0).call('POST', '/system/client', { token: admin, json }))
  return { three, listener, secret: secret as string }
}

test('a sign-out at one of three processes is seen at the others with the next request, and told once, also where that process is killed', async (t) => {
  const { three, listener, secret } = await startWithApplication(t)
  const { token, sign } = await enter(three, secret, 0)
  const tokens = await sign(three.at(1), three.at(2))
  for (const index of [0, 1, 2]) t.equal(await infoAt(three.at(index), tokens.access_token), 200)
  const ended = await three.at(0).call('POST', '/auth/logout', { token })
  t.equal(ended.status, 200)
  await three.at(0).stop('SIGKILL')
  for (const index of [1, 2]) t.equal(await infoAt(three.at(index), tokens.access_token), 401)
  // What the killed one had taken the others take after its time is over.
  await eventually('the application to be told', async () => (listener.told.length > 0 ? true : undefined))
  t.equal(listener.told.length, 1)
})

test('no token is refused while keys change under load, at whichever of three processes', async (t) => {
  const { three, secret } = await startWithApplication(t)
  const { sign } = await enter(three, secret, 0)
  const keysAt = async (index: number) => {
    const response = await fetch(`${three.at(index).origin}/.well-known/jwks.json`)
    return createLocalJWKSet((await response.json()) as Parameters<typeof createLocalJWKSet>[0])
  }
  const seen = new Set<string>()
  const round = async (index: number): Promise<void> => {
    const { id_token: idToken, access_token: token } = await sign(three.at(index), three.at(index + 1))
    const { protectedHeader } = await jwtVerify(idToken, await keysAt(index + 2), { issuer, audience: 'grafana' })
    seen.add(protectedHeader.kid ?? '')
    t.equal(await infoAt(three.at(index + 2), token), 200)
  }
  let isRotated = false
  const load = [0, 1, 2].map(async (index) => {
    while (!isRotated || seen.size < 2) await round(index)
  })
  await three.keys.rotate(6000)
  isRotated = true
  await Promise.all(load)
  t.equal(seen.size, 2)
})
