import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { relyingPartyOf, type RelyingParty } from '../../../lib/relying-party.js'
import { installed, refusal, type Content } from '../../helpers/service/installation.js'
import { startServer } from '../../helpers/service/server.js'

interface Row {
  title: string
  settings: Content
  party: RelyingParty | undefined
}

const androidApp = `android:apk-key-hash:${'A1b-_'.repeat(9).slice(0, 43)}`

const rows: Row[] = [
  {
    title: 'without settings, on a loopback address: localhost',
    settings: { port: 4321 },
    party: { rpId: 'localhost', origins: ['http://localhost:4321'], address: 'http://localhost:4321' },
  },
  {
    title: 'without settings, on another address: none',
    settings: { host: '0.0.0.0' },
    party: undefined,
  },
  {
    title: 'with publicUrl: its host and origin, without its prefix',
    settings: { publicUrl: 'https://id.example.com:8443/iam', host: '0.0.0.0' },
    party: {
      rpId: 'id.example.com',
      origins: ['https://id.example.com:8443'],
      address: 'https://id.example.com:8443/iam',
    },
  },
  {
    title: 'with an issuer that is a URL: its host and origin',
    settings: { issuer: 'https://id.example.com' },
    party: { rpId: 'id.example.com', origins: ['https://id.example.com'], address: 'https://id.example.com' },
  },
  {
    title: 'with publicUrl and issuer: publicUrl',
    settings: { publicUrl: 'https://a.example.com', issuer: 'https://b.example.com' },
    party: { rpId: 'a.example.com', origins: ['https://a.example.com'], address: 'https://a.example.com' },
  },
  { title: 'with a publicUrl at an IP address: none', settings: { publicUrl: 'https://192.0.2.7' }, party: undefined },
  { title: 'with an issuer at an IPv6 address: none', settings: { issuer: 'https://[2001:db8::7]' }, party: undefined },
  { title: 'with a publicUrl by http: none', settings: { publicUrl: 'http://id.example.com' }, party: undefined },
  {
    title: 'with an rpId above the host of publicUrl',
    settings: { publicUrl: 'https://id.example.com', passkeys: { rpId: 'example.com', origins: [] } },
    party: { rpId: 'example.com', origins: ['https://id.example.com'], address: 'https://id.example.com' },
  },
  {
    title: 'with several origins below one rpId',
    settings: {
      publicUrl: 'http://10.0.0.1:3000',
      passkeys: { rpId: 'example.com', origins: ['https://example.com', 'https://console.example.com:8443'] },
    },
    party: {
      rpId: 'example.com',
      origins: ['https://example.com', 'https://console.example.com:8443'],
      address: 'https://example.com',
    },
  },
  {
    title: 'with an Android app beside the pages of publicUrl',
    settings: { publicUrl: 'https://id.example.com', passkeys: { rpId: null, origins: [androidApp] } },
    party: {
      rpId: 'id.example.com',
      origins: ['https://id.example.com', androidApp],
      address: 'https://id.example.com',
    },
  },
  {
    title: 'with an Android app and pages of another host',
    settings: {
      publicUrl: 'https://id.example.com',
      passkeys: { rpId: 'example.com', origins: [androidApp, 'https://www.example.com'] },
    },
    party: {
      rpId: 'example.com',
      origins: ['https://www.example.com', androidApp],
      address: 'https://www.example.com',
    },
  },
]

for (const { title, settings, party } of rows) {
  test(`passkeys ${title}`, async (t) => {
    const directory = installed(t, (all) => ({ ...all, ...settings }))
    t.strictSame(relyingPartyOf(openInstallation({ DATA_DIR: directory }, { create: false }).settings), party)
  })
}

const example = 'https://id.example.com'
for (const { title, settings, faults } of [
  {
    title: 'an rpId that is an IP address',
    settings: { passkeys: { rpId: '127.0.0.1', origins: ['https://127.0.0.1'] } },
    faults: [/^passkeys\.rpId .*IP address/, /^passkeys\.origins .*127\.0\.0\.1: .*IP address/],
  },
  {
    title: 'an rpId with a port',
    settings: { passkeys: { rpId: 'example.com:443', origins: [] }, publicUrl: example },
    faults: [/^passkeys\.rpId .*must be a domain/, /^publicUrl .*id\.example\.com/],
  },
  {
    title: 'an rpId that is no ending of the host',
    settings: { passkeys: { rpId: 'ample.com', origins: [] }, publicUrl: example },
    faults: [/^publicUrl .*id\.example\.com, whose host is neither ample\.com/],
  },
  {
    title: 'an rpId below the host',
    settings: { passkeys: { rpId: 'a.id.example.com', origins: [] }, publicUrl: example },
    faults: [/^publicUrl .*nor below it/],
  },
  {
    title: 'an rpId without an origin',
    settings: { passkeys: { rpId: 'example.com', origins: [] } },
    faults: [/^publicUrl|^passkeys\.origins/],
  },
  {
    title: 'origins without an rpId',
    settings: { host: '0.0.0.0', passkeys: { rpId: null, origins: [example] } },
    faults: [/^passkeys\.rpId .*is missing/],
  },
  {
    title: 'an rpId with a publicUrl by http',
    settings: { passkeys: { rpId: 'example.com', origins: [] }, publicUrl: 'http://id.example.com' },
    faults: [/^publicUrl .*https or on localhost/],
  },
  {
    title: 'several wrong origins',
    settings: {
      passkeys: { rpId: 'example.com', origins: ['http://example.com', 'https://example.org', 'https://192.0.2.7'] },
    },
    faults: [/http:\/\/example\.com: .*https/, /https:\/\/example\.org, whose host/, /192\.0\.2\.7: .*IP address/],
  },
]) {
  test(`${title} stops the start, with each fault`, async (t) => {
    const directory = installed(t, (all) => ({ ...all, ...settings }))
    const error = refusal(t, { DATA_DIR: directory })
    const texts = error.faults.map(({ name, message }) => `${name} ${message}`)
    t.equal(texts.length, faults.length, texts.join('\n'))
    for (const [index, fault] of faults.entries()) t.match(texts[index], fault)
  })
}

test('where there can be no passkeys, the start says so once and goes on', async (t) => {
  const said = /there are no passkeys/g
  const server = await startServer(t, { settings: { publicUrl: 'https://192.0.2.7' } })
  t.equal(server.log().match(said)?.length, 1)
  t.equal((await server.call('POST', '/auth/passkey/options', { json: {} })).body.data.reason, 'unsupported_auth_type')
  t.equal((await server.call('GET', '/auth/loginConfig')).body.data.passkeys, null)
  const { authTypes, secondFactors } = (await server.call('GET', '/auth/loginConfig')).body.data
  t.notOk(authTypes.includes('passkey'))
  t.strictSame(secondFactors, ['totp', 'recovery'])
  t.notMatch((await startServer(t)).log(), said)
})

for (const origin of [
  'android:apk-key-hash:short',
  `android:apk-key-hash:${'a'.repeat(44)}`,
  `android:apk-key-hash:${'='.repeat(43)}`,
  `ANDROID:apk-key-hash:${'a'.repeat(43)}`,
  `ios:apk-key-hash:${'a'.repeat(43)}`,
  'https://*.example.com',
])
  test(`passkeys.origins refuses ${origin}, and says how that of an app is written`, async (t) => {
    const directory = installed(t, (all) => ({
      ...all,
      publicUrl: example,
      passkeys: { rpId: null, origins: [origin] },
    }))
    const [fault] = refusal(t, { DATA_DIR: directory }).faults
    t.match(fault?.name, /^passkeys\.origins/)
    t.match(fault?.message, 'android:apk-key-hash: and 43 characters')
  })
