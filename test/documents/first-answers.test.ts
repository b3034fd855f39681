import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import {
  answersTo,
  describedOperations,
  signInFirst,
  type ExampleDocument,
} from '../helpers/documents/first-answers.js'
import { root } from '../helpers/processes/project.js'
import { adminPassword, startServer } from '../helpers/service/server.js'

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as ExampleDocument
const documentedExample = (name: string) => document.components.examples[name] ?? { value: {} }
const operations = describedOperations(document)

test('each example that is read, sent as it is to a new installation, answers 200 or what its description says', async (t) => {
  const server = await startServer(t)
  const token = await signInFirst(server)
  for (const one of operations.filter(({ method }) => method === 'GET')) {
    for (const [what, found, wanted, text] of await answersTo(server, token, document, one))
      t.same(found, wanted, `${what} ${text}`)
  }
})

for (const one of operations.filter(({ method }) => method !== 'GET')) {
  const title = `the examples of ${one.operation.operationId}, sent as they are to a new installation, answer 200 or what their descriptions say`
  test(title, async (t) => {
    const server = await startServer(t)
    const lines = await answersTo(server, await signInFirst(server), document, one)
    t.ok(lines.length > 0)
    for (const [what, found, wanted, text] of lines) t.same(found, wanted, `${what} ${text}`)
  })
}

test('the filled-in sign-in is no try: however often it is sent, the administrator needs no captcha', async (t) => {
  const server = await startServer(t)
  const { value } = documentedExample('PasswordLogin')
  t.equal(value.username, 'admin')
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await server.call('POST', '/auth/login', { json: value })
    t.match(answer.body, { code: 400, message: /password is required/, data: { reason: 'invalid_request' } })
  }
  const answer = await server.call('POST', '/auth/login', { json: { ...value, password: adminPassword } })
  t.equal(answer.status, 200)
})

test('no example sets a password of an administrator that everybody can read', (t) => {
  for (const name of ['PasswordLogin', 'PasswordCaptchaLogin', 'ChangePasswordRequest']) {
    const { value } = documentedExample(name)
    for (const field of ['password', 'oldPassword', 'newPassword'])
      t.ok((value[field] ?? '') === '', `${name} ${field}`)
  }
  t.end()
})
