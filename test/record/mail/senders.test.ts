import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { createMail } from '../../../plugins/record/mail/mail.js'
import { senderAdvice } from '../../../plugins/record/mail/sender-advice.js'
import { createCli } from '../../helpers/processes/cli.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { changeSettings, examine, troubles } from '../../helpers/processes/doctor.js'
import { startMailServer } from '../../helpers/peers/mail-server.js'
import { startServer } from '../../helpers/service/server.js'

const letter = { to: 'alice@example.net', subject: 'A test', text: 'A test', html: '<p>A test' }

test('a strict server takes mails: the service greets it by the name of the setting or of its address', async (t) => {
  const { url, mails } = await startMailServer(t, 'strict')
  for (const [settings, greeting] of [
    [{ mail: { url, hostname: 'mx.example.org' }, publicUrl: 'https://id.example.com/iam' }, 'mx.example.org'],
    [{ mail: { url }, publicUrl: 'https://id.example.com/iam' }, 'id.example.com'],
    [{ mail: { url }, issuer: 'https://issuer.example.com' }, 'issuer.example.com'],
  ] as const) {
    const server = await startServer(t, { settings })
    await server.app.mail?.send(letter)
    t.equal(mails.at(-1)?.greeting, greeting)
  }
})

test('an address of the service that is no name is not a greeting', async (t) => {
  const { url, mails } = await startMailServer(t)
  for (const publicUrl of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']) {
    const { settings } = (await startServer(t, { settings: { mail: { url }, publicUrl } })).app.installation
    const mail = createMail(settings)
    await mail.send(letter)
    mail.close()
    t.notOk(publicUrl.includes(mails.at(-1)?.greeting ?? ''))
  }
})

/** What is one sender, and what a start refuses. */
const senders: [text: string, isOne: boolean][] = [
  ['no-reply@example.com', true],
  ['Example <no-reply@example.com>', true],
  ['"Example, Inc." <no-reply@example.com>', true],
  ['Example, Inc. <no-reply@example.com>', true],
  ["O'Neil & Co. <no-reply@example.com>", true],
  ['<no-reply@example.com>', true],
  ['例子 <no-reply@例子.cn>', true],
  ['no-reply', false],
  ['Example', false],
  ['<>', false],
  ['@example.com', false],
  ['a@b@example.com', false],
  ['one@example.com, two@example.com', false],
  ['One <one@example.com> <two@example.com>', false],
  ['Example <no-reply@example.com> and more', false],
  ['Example (all of us) <no-reply@example.com>', false],
  ['Group: one@example.com;', false],
  ['one@example.com\r\nBcc: two@example.com', false],
]

test('MAIL_FROM is one address; anything else stops the start', (t) => {
  const directory = emptyDirectory(t)
  openInstallation({ DATA_DIR: directory }, { create: true })
  for (const [text, isOne] of senders) {
    const open = () => openInstallation({ DATA_DIR: directory, MAIL_FROM: text }, { create: false })
    if (isOne) t.equal(open().settings.mail.from, text)
    else t.throws(open, /MAIL_FROM \(environment\): must be one address such as no-reply@example\.com/, text)
  }
  const file = join(directory, 'config.json')
  writeFileSync(
    file,
    JSON.stringify({
      ...openInstallation({ DATA_DIR: directory }, { create: false }).settings,
      mail: { from: 'no-reply' },
    }),
  )
  t.throws(() => openInstallation({ DATA_DIR: directory }, { create: false }), /mail\.from .*must be one address/)
  t.end()
})

test('a sender that only this machine knows is told where a real server sends', (t) => {
  const from = 'Rollcall <no-reply@localhost>'
  t.match(senderAdvice({ url: 'smtp://mail.example.com', from }), /most servers refuse: set MAIL_FROM/)
  t.equal(senderAdvice({ url: 'smtp://mail.example.com', from: 'no-reply@example.com' }), undefined)
  for (const url of [null, 'smtp://127.0.0.1:1025', 'smtp://localhost']) t.equal(senderAdvice({ url, from }), undefined)
  t.end()
})

test('doctor tells a greeting that is refused from a server that is not there', async (t) => {
  const cli = await createCli(t)
  const mailFindings = async (mail: object) => {
    changeSettings(cli, { mail })
    return troubles(await examine(t, cli, '--send-mail alice@example.net')).filter(({ check }) => check === 'mail')
  }
  const { url } = await startMailServer(t, 'strict')
  t.same(await mailFindings({ url, hostname: 'mx.example.com' }), [])
  const [refused] = await mailFindings({ url, hostname: null })
  t.match(refused, { level: 'fault', message: /refuses the name by which the service greets it: .*Helo/ })
  t.match(refused, { advice: /^Set mail\.hostname in config\.json/ })
  const [absent] = await mailFindings({ url: 'smtp://127.0.0.1:9' })
  t.match(absent, { level: 'fault', message: /ECONNREFUSED/, advice: /SMTP_URL/ })
})
