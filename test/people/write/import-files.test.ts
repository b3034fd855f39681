import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { OperatorError } from '../../../lib/operator-error.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const importFile = (server: TestServer, content: string | Buffer, path = join(server.directory, 'users.csv')) => {
  writeFileSync(path, content)
  return run(server, path)
}
const run = async (server: TestServer, path: string) => {
  const refused: unknown[] = []
  const listener = {
    onStart: () => undefined,
    onProgress: () => undefined,
    onRefused: (row: unknown) => refused.push(row),
  }
  const result = await server.app.accounts.importUsers(path, { forcePasswordChange: true, mode: 'each' }, listener)
  return { rows: result.rows, added: result.added, refused }
}

const password = 'hunter2-hunter2'
const badFiles: [sentence: string, content: string | Buffer, message: RegExp][] = [
  [
    'an unknown column',
    `username,pasword\nalice,${password}\n`,
    /delete or rename column 2 \("pasword"\): the columns are username,/,
  ],
  ['no line of names', `alice,${password}\nbob,${password}\n`, /column 1 is none of username, realName, phone,/],
  ['a line for Excel about other signs', `\uFEFFsep=|\r\nusername|password\r\n`, /must be separated by commas/],
  ['bars for commas', `username|password\nalice|${password}\n`, /must be separated by commas/],
  ['Chinese commas', `用户名，密码\nalice，${password}\n`, /must be separated by commas/],
  ['commas and semicolons', `username,password;\nalice,${password};\n`, /rename column 2 \("password;"\)/],
  ['a doubled column', `username,real_name,realName\nalice,${password},b\n`, /the column realName occurs twice/],
  ['no column username', `realName,password\nalice,${password}\n`, /the column username is missing/],
  ['nothing in it', '', /the column username is missing/],
  [
    'an open quote',
    `username,password\nalice,x\nbob,"${password}\ncarol,x\n`,
    /users\.csv, line 3: a quote is not closed/,
  ],
  [
    'a quote in a field',
    `username,password\r\n"a\r\nb",\r\nalice,x"${password}"\r\n`,
    /users\.csv, line 4: a field contains a quote/,
  ],
  [
    'text behind a quote',
    `username,password\nalice,"x"${password}\n`,
    /users\.csv, line 2: there is text after the closing quote/,
  ],
  [
    'a record without end',
    `username,password\nalice,"${password}${'x'.repeat(200_000)}`,
    /line 2: the record is too long/,
  ],
  [
    'Chinese text that is not UTF-8',
    Buffer.from([...Buffer.from('username\nalice\n'), 0xcd, 0xf5, 0x0a]),
    /is not UTF-8/,
  ],
  ['UTF-16', Buffer.from('\uFEFFusername\nalice\n', 'utf16le'), /is not UTF-8/],
]

test('a file with a fault of form is refused as a whole, and nothing of it is quoted', async (t) => {
  const server = await startServer(t)
  for (const [sentence, content, message] of badFiles) {
    await t.test(sentence, async (t) => {
      const error = await importFile(server, content).catch((error: unknown) => error as Error)
      t.ok(error instanceof OperatorError)
      t.match((error as Error).message, message)
      t.notMatch((error as Error).message, password)
      t.equal(await server.app.db.users.findByUsername(1, 'alice'), undefined, 'nobody was added')
    })
  }
  await t.rejects(run(server, server.directory), /is not a file/)
  await t.rejects(run(server, join(server.directory, 'nowhere.csv')), /nowhere\.csv cannot be read: ENOENT/)
})

for (const [name, lineBreak] of [
  ['Unix', '\n'],
  ['Windows', '\r\n'],
  ['old Macintosh', '\r'],
] as const) {
  test(`lines are counted as editors count them, with the line breaks of ${name}`, async (t) => {
    const server = await startServer(t)
    const lines = ['username,phone,remark', 'a,12,', '', 'b,12,"one', 'two', '', 'four"', ' , ,', 'c,12,x', 'd,,']
    const { refused, ...counts } = await importFile(server, lines.join(lineBreak))
    t.same(counts, { rows: 4, added: 1 })
    t.match(refused, [{ line: 2 }, { line: 4 }, { line: 9 }])
  })
}

test('a character that two chunks of a file share is one character', async (t) => {
  const server = await startServer(t)
  const remark = '王'.repeat(400)
  const content = Buffer.from(`username,remark\n${Array.from({ length: 200 }, (_, n) => `u${n},${remark}\n`).join('')}`)
  const isInside = (position: number) => ((content[position] ?? 0) & 0xc0) === 0x80
  t.ok(
    [1, 2, 3].some((chunk) => isInside(chunk * 65_536)),
    'a chunk ends within a character',
  )
  t.match(await importFile(server, content), { added: 200, refused: [] })
  for (let n = 0; n < 200; n++) t.match(await server.app.db.users.findByUsername(1, `u${n}`), { remark })
})
