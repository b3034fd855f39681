import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createCli } from '../helpers/processes/cli.js'
import { startProcess } from '../helpers/processes/process.js'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { codeAt } from '../helpers/service/factors.js'
import { userPassword } from '../helpers/service/passwords.js'
import { startServer } from '../helpers/service/server.js'
import { importFile } from '../helpers/service/upload.js'

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

test('people keep their authenticator apps when they are imported', async (t) => {
  const { directory, done, json, content } = await createCli(t)
  const file = join(directory, 'users.csv')
  // As some systems show it.
  const shown = secret.toLowerCase().replace(/(.{4})/g, '$1 ')
  writeFileSync(file, `username,password,totpSecret\nalice,${userPassword},${shown}\nbob,${userPassword},\n`)
  t.equal(
    await done(`user import ${file} --no-force-change --atomic`),
    'Added 2 users, refused 0 rows.\n1 user with an authenticator app: without recovery codes until they make some.\n',
  )
  t.match(await json('user list --second-factor yes'), { total: 1, records: [{ username: 'alice' }] })
  const known = await json('user factors alice')
  t.match(known, { recoveryCodesLeft: 0, factors: [{ kind: 'totp', lastUsedTime: null }] })
  t.notMatch(JSON.stringify(content()), secret, 'it is stored encrypted')
  const server = await startProcess(t, { directory })
  const { data } = (await server.signIn('alice', userPassword)).body
  t.match(data, { reason: 'second_factor_required', methods: ['totp'] })
  const second = { authType: 'totp', ticket: data.ticket, code: codeAt(secret, Date.now()) }
  const answer = await server.call('POST', '/auth/login', { json: second })
  t.equal(answer.status, 200, answer.text)
  t.equal((await server.signIn('bob', userPassword)).status, 200)
})

test('a secret that is no base32 or too short is refused by line, and is not quoted', async (t) => {
  const { directory, run } = await createCli(t)
  const file = join(directory, 'users.csv')
  const bad = ['JBSWY3DPEHPK3PX', 'A'.repeat(65), 'JBSWY3DPEHPK3PX1', 'otpauth://totp/x']
  writeFileSync(file, ['username,totpSecret', ...bad.map((text, index) => `user${index},${text}`)].join('\n'))
  const { code, stdout, stderr } = await run(`user import ${file}`)
  t.equal(code, 1)
  const said = stdout + stderr
  for (const index of bad.keys()) t.match(said, `line ${index + 2}: totpSecret must be a base32 text`)
  for (const text of bad) t.notMatch(said, text)
})

test('over HTTP the column is unknown', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const answer = await importFile(server, token, `username,totpSecret\r\nalice,${secret}`)
  expectProblem(t, answer, 'invalid_request', ['file'])
  t.notMatch(answer.body.data.violations[0].message.split('A column is one of')[1], 'totpSecret')
  t.notMatch(answer.text, secret)
  t.match(expectSuccess(t, await importFile(server, token, 'username,hasSecondFactor\r\nalice,true')), { added: 1 })
  t.equal((await server.app.db.users.findByUsername(1, 'alice'))?.hasSecondFactor, false, 'that column is ignored')
})
