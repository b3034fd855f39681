import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { checkBodies, checkParameters } from '../helpers/documents/example-checks.js'
import { root } from '../helpers/processes/project.js'

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))

test('every request and every answer has an example, and each example is valid', (t) => {
  checkBodies(t, document)
  t.end()
})

test('examples are values as they come, not placeholders', (t) => {
  const text = JSON.stringify(document.components.examples)
  t.notMatch(text, /"(text|string)"/)
  const { LoginConfigResponse, UserPageResponse, PasswordLogin } = document.components.examples
  t.equal(LoginConfigResponse.value.data.enableCaptcha, true)
  t.match(UserPageResponse.value.data, { records: [{ username: 'alice', phone: /\*{6}/ }], total: 1, pages: 1 })
  t.same(Object.keys(PasswordLogin.value), ['username', 'password'], 'the shortest sign-in')
  t.end()
})

test('every required parameter has an example that is valid', (t) => {
  checkParameters(t, document)
  t.end()
})
