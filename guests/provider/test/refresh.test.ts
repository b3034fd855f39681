import * as oidc from 'openid-client'
import { test } from 'tap'
import { expectRefusal, startProvider } from './start-provider.js'

const hour = 3600

test('tokens that outlive the session end at last, however often they are used (ASVS 10.4.8)', async (t) => {
  const provider = { offlineTtl: hour, offlineMaxTtl: 2 * hour }
  const { server, addClient, connect, openBrowser, enter } = await startProvider(t, { settings: { provider } })
  await addClient({ type: 'public', refreshTokens: 'offline' })
  const configuration = await connect()
  const browser = openBrowser()
  await browser.signIn()
  const first = await enter(configuration, browser)
  const refresh = async ({ refresh_token: token = '' }: { refresh_token?: string }) => {
    server.clock.advance(50 * 60)
    return oidc.refreshTokenGrant(configuration, token)
  }
  const second = await refresh(await refresh(first))
  await expectRefusal(t, refresh(second), 'invalid_grant')
})
