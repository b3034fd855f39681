import { test } from 'tap'
import { welcome } from '../../cli/serve.js'
import { settingsReader } from '../../app.js'

const settings = settingsReader.fill()
const administrator = { username: 'admin', password: 'a brand new kettle' }

/** Settings, and the address that a first start prints before the password; undefined where it cannot know one. */
const rows: [about: string, more: Partial<typeof settings>, address: string | undefined][] = [
  ['a loopback address is called localhost', { host: '127.0.0.1', port: 3000 }, 'http://localhost:3000/sign-in'],
  ['also that of IPv6', { host: '::1', port: 8080 }, 'http://localhost:8080/sign-in'],
  ['publicUrl goes first', { publicUrl: 'https://example.com/iam' }, 'https://example.com/iam/sign-in'],
  ['other machines reach it at an unknown address', { host: '0.0.0.0' }, undefined],
  ['any free port is not known yet', { port: 0 }, undefined],
  ['the page is switched off', { pages: { signIn: false, account: true, console: true } }, undefined],
]

for (const [about, more, address] of rows) {
  test(`a first start names the sign-in page where it knows its address: ${about}`, (t) => {
    const installation = { directory: '/data', settings: { ...settings, ...more } } as Parameters<typeof welcome>[0]
    const text = welcome(installation, administrator)
    if (address === undefined) t.notMatch(text, 'sign-in page')
    else t.ok(text.indexOf(`The sign-in page is ${address}\n`) < text.indexOf('a brand new kettle'), text)
    t.equal(text.includes(address ?? 'a brand new kettle'), true)
    t.match(text, /Sign in as admin with the password\n\n {4}a brand new kettle\n/)
    t.end()
  })
}
