import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startFederation } from '../../helpers/peers/federation.js'

const usual = 'https://console.example.com/social'
const other = 'https://console.example.com/app/callback'
const configured = [usual, other, 'http://localhost:5173/social', 'https://xn--fiq228c.example.com/a%20b/']

test('O5: a redirect address that is configured is taken, the first when none is named', async (t) => {
  const { begin, provider, callback } = await startFederation(t, { provider: { redirectUris: configured } })
  const sentOn = async (query: Record<string, string>) => {
    const { authUrl } = expectSuccess(t, await begin('corporate', { query }))
    return { authUrl, redirectUri: new URL(authUrl).searchParams.get('redirect_uri') }
  }
  t.equal((await sentOn({})).redirectUri, usual)
  t.equal((await sentOn({ redirectUri: '' })).redirectUri, usual)
  for (const redirectUri of configured) {
    const sent = await sentOn({ redirectUri })
    t.equal(sent.redirectUri, redirectUri)
    expectSuccess(t, await callback({ platform: 'corporate', ...provider('corporate').visit(sent.authUrl) }))
    const [token] = provider('corporate')
      .received.splice(0)
      .filter(({ url }) => url === '/token')
    t.equal(token?.body.get('redirect_uri'), redirectUri, 'the provider hears the same on return')
  }
})

test('O5: a redirect address that is not configured, character for character, is refused', async (t) => {
  const { begin, provider } = await startFederation(t, { provider: { redirectUris: configured } })
  const rows = [
    'https://evil.example.org/social',
    '//evil.example.org',
    '//evil.example.org/social',
    '///evil.example.org',
    '/\\evil.example.org',
    '/social',
    'social',
    'https:console.example.com/social',
    'https:/console.example.com/social',
    'https:\\\\console.example.com\\social',
    'https://console.example.com\\@evil.example.org/social',
    'https://console.example.com@evil.example.org/social',
    'https://evil.example.org\\@console.example.com/social',
    'https://user@console.example.com/social',
    'https://user:password@console.example.com/social',
    'https://console.example.com.evil.example.org/social',
    'https://evil.console.example.com/social',
    'https://evil-console.example.com/social',
    'https://console.example.com:443/social',
    'https://console.example.com:8443/social',
    'https://console.example.com./social',
    'https://CONSOLE.example.com/social',
    'HTTPS://console.example.com/social',
    'http://console.example.com/social',
    `${usual}/`,
    `${usual}//`,
    `${usual}/..`,
    `${usual}/../social`,
    'https://console.example.com/./social',
    'https://console.example.com//social',
    'https://console.example.com/Social',
    'https://console.example.com/%73ocial',
    'https://console.example.com%2fsocial',
    `${usual}%00`,
    `${usual}%2f`,
    `${usual}?`,
    `${usual}?next=https://evil.example.org`,
    `${usual}#`,
    `${usual}#fragment`,
    `${usual};a=b`,
    ` ${usual}`,
    `${usual} `,
    `${usual}\n`,
    `${usual}\t`,
    `${usual},${other}`,
    'https://console.example.com/',
    'https://console.example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'null',
    'undefined',
    encodeURIComponent(usual),
  ]
  for (const redirectUri of rows) {
    const answer = await begin('corporate', { query: { redirectUri } })
    expectProblem(t, answer, 'invalid_request', ['redirectUri'])
    t.notOk(answer.headers.has('set-cookie'))
    t.notOk(answer.headers.has('location'))
    t.notMatch(answer.text, 'evil', 'the address is not repeated')
  }
  const twice = `redirectUri=${encodeURIComponent(usual)}&redirectUri=${encodeURIComponent('https://evil.example.org')}`
  expectProblem(t, await begin('corporate', { query: twice }), 'invalid_request', ['redirectUri'])
  t.same(provider('corporate').received, [], 'nobody was asked')
})

test('O5: nothing that comes back from a provider makes the service redirect', async (t) => {
  const { visit, callback } = await startFederation(t)
  const more = { redirectUri: 'https://evil.example.org', redirect: '//evil.example.org', next: '/\\evil.example.org' }
  const answer = await callback({ ...(await visit()), ...more })
  expectSuccess(t, answer)
  t.notOk(answer.headers.has('location'))
  t.notMatch(answer.text, 'evil')
})
