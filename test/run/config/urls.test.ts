import { existsSync } from 'node:fs'
import { test } from 'tap'
import { openInstallation } from '../../../app.js'
import { emptyDirectory, startChild } from '../../helpers/processes/child.js'
import { createCli } from '../../helpers/processes/cli.js'
import { runCommand } from '../../helpers/processes/command.js'
import { installed, refusal, type Content } from '../../helpers/service/installation.js'

const encode = /%2F.*%3F.*%23.*%40.*%25/

interface Row {
  variable?: string
  setting: string
  /** The URL with this text as its password. */
  url: (password: string) => string
  edit: (all: Content, url: string) => Content
  wrong: string[]
  right: string[]
}

const inAny = [
  '12/tea',
  '12?tea',
  '12#tea',
  'tea/pot',
  'tea?pot',
  'tea#pot',
  'tea%pot',
  'tea%zz',
  'tea@12/pot',
  'tea:pot/milk',
]
const rows: Row[] = [
  {
    variable: 'SMTP_URL',
    setting: 'mail.url',
    url: (password) => `smtp://alice:${password}@127.0.0.1:25`,
    edit: (all, url) => ({ ...all, mail: { ...all['mail'], url } }),
    wrong: inAny,
    right: ['tea', 'tea%2Fpot', 'tea@pot', 'tea:pot', 'tea pot'],
  },
  {
    variable: 'DATABASE_URL',
    setting: 'databaseUrl',
    url: (password) => `postgres://alice:${password}@127.0.0.1:5432/rollcall?pool_max_conns=5`,
    edit: (all, databaseUrl) => ({ ...all, databaseUrl }),
    wrong: inAny,
    right: ['tea', 'tea%23pot', 'tea@pot'],
  },
  {
    variable: 'REDIS_URL',
    setting: 'redisUrl',
    url: (password) => `redis://:${password}@127.0.0.1:6379/3`,
    edit: (all, redisUrl) => ({ ...all, redisUrl }),
    // What is before the last @ is the password, with these characters or without.
    wrong: ['tea/pot', 'tea%pot', 'tea@pot', '12/tea'],
    right: ['tea', 'tea%2Fpot', 'tea#pot', 'tea?pot'],
  },
]

for (const { variable = '', setting, url, edit, wrong, right } of rows) {
  test(`a password of ${variable} that is not encoded is refused before anything is created, and not shown`, (t) => {
    for (const password of wrong) {
      const text = url(password)
      const isSecret = (word: string) => !/^12$/.test(word)
      const parts = password.split(/[/?#@%:]/).filter(isSecret)
      const DATA_DIR = emptyDirectory(t)
      const error = refusal(t, { DATA_DIR, [variable]: text })
      t.same(
        error.faults.map(({ name, source }) => [name, source]),
        [[variable, 'environment']],
        password,
      )
      t.match(error.faults[0]?.message, encode, password)
      t.notOk(existsSync(DATA_DIR))
      const file = installed(t, (all) => edit(all, text))
      const inFile = refusal(t, { DATA_DIR: file })
      t.same(
        inFile.faults.map(({ name }) => name),
        [setting],
      )
      for (const word of [password, ...parts])
        for (const { message } of [error, inFile])
          t.notOk(message.replaceAll(file, '').replaceAll(DATA_DIR, '').includes(word), word)
    }
    for (const password of right) {
      const open = () => openInstallation({ DATA_DIR: installed(t), [variable]: url(password) }, { create: false })
      t.doesNotThrow(open, password)
    }
    t.end()
  })
}

test('a webhook for text messages with a password is refused: its errors would show it', (t) => {
  for (const url of ['https://alice:tea@sms.example.com/send', 'https://alice:tea#pot@sms.example.com']) {
    const DATA_DIR = installed(t, (all) => ({ ...all, sms: { ...all['sms'], webhook: { url, secret: 'one' } } }))
    const error = refusal(t, { DATA_DIR })
    t.same(
      error.faults.map(({ name }) => name),
      ['sms.webhook.url'],
    )
    t.notMatch(error.message, /tea|pot|alice/)
  }
  t.end()
})

test('start, doctor and copy say in which variable, without a stack and without the password', async (t) => {
  const directory = emptyDirectory(t)
  const environment = { SMTP_URL: 'smtp://alice:p#ss@127.0.0.1:25' }
  const { code, stdout, stderr } = await startChild(t, 'server.js', [], { directory, environment }).ended
  t.equal(code, 1)
  t.match(
    stderr,
    /^Rollcall does not start: 1 setting is wrong\.\n {2}SMTP_URL \(environment\): cannot be read as a URL\. .*%23/,
  )
  t.equal(stderr.trimEnd().split('\n').length, 3)
  t.notMatch(stdout + stderr, /p#ss|alice/)
  t.notOk(existsSync(directory), 'nothing was created')

  const cli = await createCli(t)
  const examined = await runCommand(t, ['doctor'], { directory: cli.directory, environment })
  t.match(examined.stdout, /fault +configuration: SMTP_URL \(environment\) cannot be read as a URL/)
  t.notMatch(examined.stdout + examined.stderr, /p#ss|alice/)
  for (const variable of ['ROLLCALL_COPY_TO', 'ROLLCALL_COPY_FROM']) {
    const others: Record<string, string> =
      variable === 'ROLLCALL_COPY_FROM' ? { ROLLCALL_COPY_TO: 'sqlite:other.db' } : {}
    const urls = { [variable]: 'postgres://alice:p#ss@127.0.0.1/other', ...others }
    const copied = await runCommand(t, ['copy'], { directory: cli.directory, environment: urls })
    t.equal(copied.code, 2)
    t.match(copied.stderr, new RegExp(`^error: ${variable} cannot be read as a URL.+%23[^\\n]+\\n$`))
    t.notMatch(copied.stdout + copied.stderr, /p#ss|alice/)
  }
})
