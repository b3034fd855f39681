import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { openInstallation, type Installation } from '../../../app.js'
import { environment } from '../../../schemas/environment.js'
import { asNobody, openFoldersAbove } from '../../helpers/processes/as-nobody.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { runCommand } from '../../helpers/processes/command.js'
import { startProcess } from '../../helpers/processes/process.js'
import { installed, refusal } from '../../helpers/service/installation.js'

const secret = 'a-secret-of-a-file-that-has-many-characters'

/** What the file says, and what reads it. Those of single commands have rows of their own below. */
const rows: Record<string, { text: string; read: (from: Installation) => unknown }> = {
  DATABASE_URL: { text: 'sqlite:from-a-file.db', read: ({ settings }) => settings.databaseUrl },
  REDIS_URL: { text: 'redis://:word@127.0.0.1:6390', read: ({ settings }) => settings.redisUrl },
  SMTP_URL: { text: 'smtp://user:word@mail.example.com', read: ({ settings }) => settings.mail.url },
  METRICS_TOKEN: {
    text: 'a token that is long enough for the metrics',
    read: ({ settings }) => settings.metrics.token,
  },
  ROLLCALL_SECRET: { text: secret, read: (from) => from.secret },
  ROLLCALL_ADMIN_PASSWORD: { text: ' plain green teapot ', read: ({ adminPassword }) => adminPassword },
}
const ofCommands = ['ROLLCALL_NEW_SECRET', 'ROLLCALL_COPY_FROM', 'ROLLCALL_COPY_TO']

const folder = (t: Test): string => {
  const path = emptyDirectory(t)
  mkdirSync(path)
  return path
}

const fileWith = (t: Test, text: string): string => {
  const path = join(folder(t), 'value')
  writeFileSync(path, text)
  return path
}

test('there is a row here for every variable that holds a secret or an address with one', async (t) => {
  const secrets = environment.filter(({ isSecret }) => isSecret).map(({ name }) => name)
  t.strictSame([...Object.keys(rows), ...ofCommands].toSorted(), secrets.toSorted())
})

for (const [name, { text, read }] of Object.entries(rows)) {
  test(`${name}_FILE is read, without a byte order mark and the line end`, async (t) => {
    for (const written of [text, `${text}\n`, `\u{feff}${text}\r\n`]) {
      const variables = { DATA_DIR: installed(t), [`${name}_FILE`]: fileWith(t, written) }
      t.equal(read(openInstallation(variables, { create: false })), text)
    }
  })

  test(`${name}_FILE that cannot be read stops the start with variable and path`, async (t) => {
    const missing = join(folder(t), 'no/such/file')
    const places: [string, RegExp][] = [
      [missing, /does not exist/],
      [folder(t), /is a folder/],
      [fileWith(t, ''), /is empty/],
      [fileWith(t, '\u{feff}\n'), /is empty/],
    ]
    for (const [path, message] of places)
      for (const DATA_DIR of [emptyDirectory(t), installed(t)]) {
        const isNew = !existsSync(DATA_DIR)
        const { faults } = refusal(t, { ROLLCALL_ADMIN_PASSWORD: '', DATA_DIR, [`${name}_FILE`]: path })
        t.strictSame(
          faults.map((fault) => [fault.name, fault.source]),
          [[`${name}_FILE`, path]],
        )
        t.match(faults[0]?.message, message)
        if (isNew) t.notOk(existsSync(DATA_DIR), 'nothing was created')
      }
  })

  test(`${name} and ${name}_FILE at once stop the start, and the content is not shown`, async (t) => {
    const path = fileWith(t, text)
    const { message, faults } = refusal(t, {
      ROLLCALL_ADMIN_PASSWORD: '',
      DATA_DIR: installed(t),
      [name]: text,
      [`${name}_FILE`]: path,
    })
    t.strictSame(
      faults.map((fault) => [fault.name, fault.source]),
      [[`${name}_FILE`, path]],
    )
    t.notMatch(message, text.trim())
  })
}

test('a value of a file that is wrong is told with the file, never with what it says', async (t) => {
  const wrong = {
    DATABASE_URL: 'mysql://user:word@host/name',
    ROLLCALL_SECRET: 'too-short-word',
    METRICS_TOKEN: 'word',
  }
  for (const [name, text] of Object.entries(wrong))
    for (const DATA_DIR of [emptyDirectory(t), installed(t)]) {
      const path = fileWith(t, `${text}\n`)
      const { message, faults } = refusal(t, { DATA_DIR, [`${name}_FILE`]: path })
      t.strictSame(
        faults.map((fault) => [fault.name, fault.source]),
        [[`${name}_FILE`, path]],
      )
      t.notMatch(message, 'word')
    }
})

test('files of other programs are not mentioned', async (t) => {
  const others = { PG_URL_FILE: '/no/such', LOG_FILE: '/x', POSTGRES_PASSWORD_FILE: '/y', DATABASE_PASSWORD_FILE: '/z' }
  const { settings } = openInstallation({ DATA_DIR: installed(t), ...others }, { create: false })
  t.equal(settings.databaseUrl, 'sqlite:rollcall.db')
})

test('a service whose secret is in a file starts, and its commands say where the secret is', async (t) => {
  const directory = emptyDirectory(t)
  const path = fileWith(t, `${secret}\n`)
  const given = { ROLLCALL_SECRET_FILE: path, ROLLCALL_ADMIN_PASSWORD: '', ROLLCALL_SECRET: '' }
  const server = await startProcess(t, { directory, environment: given })
  t.equal((await server.call('GET', '/health/ready')).status, 200)
  t.notOk(existsSync(join(directory, 'secret')), 'no second secret is made')
  t.equal((await server.stop()).code, 0)
  const run = (...words: string[]) => runCommand(t, words, { directory, environment: given })
  t.match(await run('backup', join(folder(t), 'copy.db')), {
    code: 0,
    stdout: /master secret \(ROLLCALL_SECRET_FILE\)/,
  })

  const next = fileWith(t, 'another-secret-of-a-file-with-many-characters\n')
  const rewrapped = await runCommand(t, ['keys', 'rewrap'], {
    directory,
    environment: { ...given, ROLLCALL_NEW_SECRET_FILE: next },
  })
  t.match(rewrapped, { code: 0, stdout: /Write the new secret to the file that ROLLCALL_SECRET_FILE names/ })
  t.match(await run('keys', 'list'), { code: 1, stderr: /does not open/ })
  t.match(await runCommand(t, ['keys', 'list'], { directory, environment: { ...given, ROLLCALL_SECRET_FILE: next } }), {
    code: 0,
  })
})

test('databases to copy may be named by files', async (t) => {
  const directory = installed(t)
  t.match(await runCommand(t, ['migrate'], { directory }), { code: 0 })
  const target = join(folder(t), 'target.db')
  const to = fileWith(t, `sqlite:${target}\n`)
  const missing = await runCommand(t, ['copy'], { directory, environment: { ROLLCALL_COPY_TO_FILE: '/no/such/file' } })
  t.match(missing, { code: 1, stderr: /ROLLCALL_COPY_TO_FILE \(\/no\/such\/file\): does not exist/ })
  const both = await runCommand(t, ['copy'], {
    directory,
    environment: { ROLLCALL_COPY_TO_FILE: to, ROLLCALL_COPY_TO: `sqlite:${target}` },
  })
  t.match(both, { code: 1, stderr: /ROLLCALL_COPY_TO_FILE .*set one of the two/ })
  t.notOk(existsSync(target))
  const copied = await runCommand(t, ['copy'], { directory, environment: { ROLLCALL_COPY_TO_FILE: to } })
  t.match(copied, { code: 0, stdout: /Copied/ })
  t.ok(existsSync(target))
})

for (const [name, { text }] of Object.entries(rows))
  test(`${name}_FILE that the user of the service may not read is told as such`, async (t) => {
    const path = fileWith(t, text)
    const DATA_DIR = emptyDirectory(t)
    openFoldersAbove(DATA_DIR)
    const variables = { ROLLCALL_ADMIN_PASSWORD: '', DATA_DIR, [`${name}_FILE`]: path }
    const { message, faults } = asNobody(path, 0, () => refusal(t, variables))
    t.strictSame(faults, [{ name: `${name}_FILE`, source: path, message: 'cannot be read by the user of the service' }])
    t.notMatch(message, text.trim())
    t.notOk(existsSync(DATA_DIR), 'nothing was created')
  })
