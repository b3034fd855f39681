import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { installed, refusal } from '../../helpers/service/installation.js'

/** As people type an address, and as browsers write it. */
const publicUrls = {
  'https://ID.Example.com:443/': 'https://id.example.com',
  'HTTPS://id.example.com/IAM/': 'https://id.example.com/IAM',
  'https://münchen.example/anmeldung': 'https://xn--mnchen-3ya.example/anmeldung',
  'http://192.168.1.5:80': 'http://192.168.1.5',
  'https://id.example.com:8443/iam': 'https://id.example.com:8443/iam',
}

const origins = {
  'https://Console.Example.com:443': 'https://console.example.com',
  'http://localhost:5173': 'http://localhost:5173',
  'https://münchen.example': 'https://xn--mnchen-3ya.example',
  'Capacitor://localhost': 'capacitor://localhost',
}

test('publicUrl is kept as browsers write it', async (t) => {
  const DATA_DIR = installed(t)
  for (const [typed, written] of Object.entries(publicUrls))
    t.equal(openInstallation({ DATA_DIR, PUBLIC_URL: typed }, { create: false }).settings.publicUrl, written, typed)
})

test('origins are kept as browsers write them', async (t) => {
  const DATA_DIR = installed(t)
  const variables = { DATA_DIR, CORS_ORIGINS: Object.keys(origins).join(',') }
  t.strictSame(openInstallation(variables, { create: false }).settings.corsOrigins, Object.values(origins))
  const passkeys = { rpId: 'example.com', origins: ['https://Console.Example.com:443'] }
  const withPasskeys = installed(t, (all) => ({ ...all, passkeys }))
  const { settings } = openInstallation({ DATA_DIR: withPasskeys }, { create: false })
  t.strictSame(settings.passkeys.origins, ['https://console.example.com'])
})

/** What is wrong with an address, by the part. */
const wrongParts = {
  'id.example.com': /does not begin with a scheme/,
  'ftp://id.example.com': /neither http:\/\/ nor https:\/\//,
  'https://user:hidden@id.example.com': /has a user name or a password/,
  'https://id.example.com/?next=hidden': /has a query/,
  'https://id.example.com/#hidden': /has a fragment/,
  'https://id.example.com:99999': /a host or a port that cannot be read/,
  'https://id example.com': /has a blank or a backslash/,
}

test('a publicUrl that cannot be used is told with the part that is wrong, and not shown', async (t) => {
  const DATA_DIR = installed(t)
  for (const [text, part] of Object.entries(wrongParts)) {
    const { faults, message } = refusal(t, { DATA_DIR, PUBLIC_URL: text })
    t.equal(faults.length, 1)
    t.match(faults[0], { name: 'PUBLIC_URL', source: 'environment', message: /must be an address such as/ })
    t.match(faults[0]?.message, part, text)
    t.notMatch(message, 'hidden')
  }
})

test('an origin that cannot be used is told with the part that is wrong', async (t) => {
  const DATA_DIR = installed(t)
  for (const [text, part] of Object.entries({
    'https://a.example.com/': /has a path or a \/ at the end/,
    'https://*.example.com': /has a \*/,
    'https://user@a.example.com': /has a user name/,
    'a.example.com': /does not begin with a scheme/,
  }))
    t.match(refusal(t, { DATA_DIR, CORS_ORIGINS: text }).faults[0]?.message, part, text)
})

test('an issuer is compared letter by letter by clients: another spelling is refused with the right one', async (t) => {
  const DATA_DIR = installed(t)
  const { faults } = refusal(t, { DATA_DIR, ISSUER: 'https://ID.example.com:443/iam' })
  t.match(faults[0]?.message, /write https:\/\/id\.example\.com\/iam/)
  for (const issuer of ['https://id.example.com', 'https://id.example.com/', 'rollcall'])
    t.equal(openInstallation({ DATA_DIR, ISSUER: issuer }, { create: false }).settings.issuer, issuer)
})
