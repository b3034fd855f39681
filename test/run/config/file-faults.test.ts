import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { asNobody } from '../../helpers/processes/as-nobody.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { installed, password, refusal, type Content } from '../../helpers/service/installation.js'

interface Row {
  sentence: string
  /** Returns the new content of config.json. */
  edit: (all: Content) => unknown
  /** The setting that is named, and what is said about it. */
  name: string
  message: RegExp
}

const rows: Row[] = [
  {
    sentence: 'an unknown setting',
    edit: (all) => ({ ...all, colour: 'red' }),
    name: 'colour',
    message: /is not a setting/,
  },
  {
    sentence: 'an unknown nested setting',
    edit: (all) => ((all.captcha.size = 3), all),
    name: 'captcha.size',
    message: /is not a setting/,
  },
  ...(
    [
      ['mial', 'mail'],
      ['publicURL', 'publicUrl'],
      ['mail.form', 'mail.from'],
      ['mail.ulr', 'mail.url'],
      ['branding.sytem_name', undefined],
      ['hats', undefined],
    ] as const
  ).map(([wrong, meant]): Row => ({
    sentence: `the misspelt ${wrong}`,
    edit: (all) => {
      const [name = '', inner] = wrong.split('.')
      return inner === undefined ? { ...all, [name]: 1 } : { ...all, [name]: { ...all[name], [inner]: 1 } }
    },
    name: wrong,
    message:
      meant === undefined
        ? /^is not a setting of Rollcall$/
        : new RegExp(`^is not a setting of Rollcall; is ${meant} meant\\?$`),
  })),
  {
    sentence: 'an unknown client',
    edit: (all) => ((all.clients['tv set'] = all.clients.pc), all),
    name: 'clients.tv set',
    message: /is not a setting/,
  },
  ...['accessTtl', 'idleTtl', 'maxTtl', 'maxSessions', 'onLimit'].map((lifetime) => ({
    sentence: `a further kind of client without ${lifetime}`,
    edit: (all: Content) => ((all.clients['kiosk'] = { ...all.clients.pc, [lifetime]: undefined }), all),
    name: `clients.kiosk.${lifetime}`,
    message: /is missing/,
  })),
  {
    sentence: 'a lifetime of nothing',
    edit: (all) => ((all.clients.pc.accessTtl = 0), all),
    name: 'clients.pc.accessTtl',
    message: />= 1|at least 1/,
  },
  {
    sentence: 'a lifetime in words',
    edit: (all) => ((all.clients.pc.idleTtl = '8h'), all),
    name: 'clients.pc.idleTtl',
    message: /integer/,
  },
  {
    sentence: 'an unknown rule',
    edit: (all) => ((all.clients.app.onLimit = 'ask'), all),
    name: 'clients.app.onLimit',
    message: /one of replace, reject/,
  },
  {
    sentence: 'an unknown captcha mode',
    edit: (all) => ((all.captcha.mode = 'often'), all),
    name: 'captcha.mode',
    message: /one of always, afterFailures, never/,
  },
  { sentence: 'a port in quotes', edit: (all) => ((all.port = '3000'), all), name: 'port', message: /integer/ },
  {
    sentence: 'a CORS origin with a path',
    edit: (all) => ((all.corsOrigins = ['https://a.example.com/x']), all),
    name: 'corsOrigins',
    message: /origin such as/,
  },
  {
    sentence: 'argon2id below the floor',
    edit: (all) => ((all.passwords.memoryKiB = 1024), all),
    name: 'passwords.memoryKiB',
    message: /19456/,
  },
  {
    sentence: 'a mail server by http',
    edit: (all) => ((all.mail.url = 'http://mail.example.com'), all),
    name: 'mail.url',
    message: /^must be `smtp:/,
  },
  {
    sentence: 'a webhook by ftp',
    edit: (all) => ((all.sms.webhook.url = 'ftp://example.com'), all),
    name: 'sms.webhook.url',
    message: /^must be a URL with http/,
  },
  {
    sentence: 'a name that is a number',
    edit: (all) => ((all.branding.systemName = 5), all),
    name: 'branding.systemName',
    message: /^must be of type string or null$/,
  },
  ...[
    'javascript:alert(1)',
    'ftp://example.com',
    'help',
    'https://a b.example.com',
    `https://me:${password}@example.com`,
  ].map((url): Row => ({
    sentence: `help at ${url.slice(0, 12)}`,
    edit: (all) => ((all.branding.helpUrl = url), all),
    name: 'branding.helpUrl',
    message: /^must be an address such as https:/,
  })),
]

for (const { sentence, edit, name, message } of rows) {
  test(`${sentence} in config.json is refused by name and file`, (t) => {
    const DATA_DIR = installed(t, edit)
    const error = refusal(t, { DATA_DIR })
    const file = join(DATA_DIR, 'config.json')
    t.match(error.message, file)
    t.ok(error.faults.every((fault) => fault.source === file))
    t.match(error.faults.find((fault) => fault.name === name || fault.name.startsWith(`${name}.`))?.message, message)
    const names = error.faults.map((fault) => fault.name)
    t.same(names, [...new Set(names)], 'each setting is named once')
    t.notMatch(error.message, /undefined|anyOf/)
    t.notMatch(error.message, password)
    t.notMatch(error.message, readFileSync(join(DATA_DIR, 'secret'), 'utf8').trim())
    t.end()
  })
}

for (const content of ['[]', '[{ "port": 3000 }]', 'null', '"x"', '5', 'true'])
  test(`${content} in place of an object in config.json is refused, also where the environment has settings`, (t) => {
    for (const environment of [{}, { PORT: '3001', SMTP_URL: 'smtp://127.0.0.1' }]) {
      const DATA_DIR = installed(t)
      const file = join(DATA_DIR, 'config.json')
      writeFileSync(file, content)
      const { faults } = refusal(t, { DATA_DIR, ...environment })
      t.strictSame(faults, [
        { name: 'the whole file', source: file, message: 'must be one object with the settings: { "port": 3000, … }' },
      ])
    }
    t.end()
  })

test('config.json that is not JSON is refused with the position', (t) => {
  const DATA_DIR = installed(t)
  writeFileSync(join(DATA_DIR, 'config.json'), '{\n  "port": 3000,\n  "host": oops\n}\n')
  const { faults } = refusal(t, { DATA_DIR })
  t.equal(faults.length, 1)
  t.match(faults[0], {
    source: join(DATA_DIR, 'config.json'),
    message: /is not valid JSON at line 3, column \d+: /,
  })
  t.end()
})

test('config.json that cannot be read is refused with the reason', (t) => {
  const DATA_DIR = installed(t)
  const file = join(DATA_DIR, 'config.json')
  // A folder cannot be read whoever asks; the mode does not stop the administrator of the machine.
  rmSync(file)
  mkdirSync(file)
  const { faults } = refusal(t, { DATA_DIR })
  t.equal(faults.length, 1)
  t.match(faults[0], { source: file, message: /is a folder; remove it/ })
  t.end()
})

/** What the user of the service may not read, and what is said about it. */
const closed: { what: string; pathIn: (directory: string) => string; name: string; message: RegExp }[] = [
  {
    what: 'config.json',
    pathIn: (directory) => join(directory, 'config.json'),
    name: 'the whole file',
    message: /^cannot be read by this user; make it the owner, with the mode 600$/,
  },
  {
    what: 'the master secret',
    pathIn: (directory) => join(directory, 'secret'),
    name: 'the master secret',
    message: /^cannot be read by this user; make it the owner, with the mode 600$/,
  },
  {
    what: 'the data folder',
    pathIn: (directory) => directory,
    name: 'DATA_DIR',
    message: /^cannot be read by this user\. Make this user its owner, or set another DATA_DIR$/,
  },
]

for (const { what, pathIn, name, message } of closed)
  for (const create of [true, false])
    test(`${what} of another user is refused with the reason and what to do, ${create ? 'at a start' : 'by a command'}`, (t) => {
      const DATA_DIR = installed(t)
      const source = pathIn(DATA_DIR)
      // To a user who is not root what the first start has written is its own.
      const fault = asNobody(source, 0, () => {
        const { faults } = refusal(t, { DATA_DIR }, { create })
        return faults.find((one) => one.name === name)
      })
      t.match(fault, { name, source, message })
      t.end()
    })

test('a first start in a folder of another user says who must own it', (t) => {
  const DATA_DIR = emptyDirectory(t)
  mkdirSync(DATA_DIR)
  const { faults } = asNobody(DATA_DIR, 0o555, () => refusal(t, { DATA_DIR }))
  t.equal(faults.length, 1)
  t.match(faults[0], {
    name: 'DATA_DIR',
    source: DATA_DIR,
    message: /^cannot be written: EACCES.*\. Make this user its owner, or set another DATA_DIR$/,
  })
  t.end()
})
