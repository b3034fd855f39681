import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lintFromString, createConfig } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { test, type Test } from 'tap'
import { rowsOf } from '../../../test/helpers/documents/documents.js'
import { checkBodies, checkParameters } from '../../../test/helpers/documents/example-checks.js'
import { fieldTypes, type FieldTypes, type TypedDocument } from '../../../test/helpers/documents/field-types.js'
import {
  answersTo,
  describedOperations,
  signInFirst,
  type ExampleDocument,
} from '../../../test/helpers/documents/first-answers.js'
import { root } from '../../../test/helpers/processes/project.js'
import { hasWorkbooks } from '../../../test/helpers/service/file-formats.js'
import { startServer } from '../../../test/helpers/service/server.js'

const start = async (t: Test) => {
  const server = await startServer(t)
  const { text } = await server.call('GET', '/openapi-compat.json')
  return { server, text, document: JSON.parse(text) as ExampleDocument }
}
const namesOf = (document: ExampleDocument) =>
  describedOperations(document).map(({ method, path }) => `${method} ${path}`)

test('the document is valid, and has the requests of the page and no others', async (t) => {
  const { server, text, document } = await start(t)
  const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>)
  t.ok(valid, JSON.stringify(errors))
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi-compat.json', config })
  t.same(
    problems
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, location }) => [ruleId, location[0]?.pointer]),
    [],
  )
  const names = namesOf(document)
  const page = rowsOf('docs/existing-front-ends.md').map(([name = '']) => name)
  t.same(names.toSorted(), page.filter((name) => name.includes(' /')).toSorted())
  const main = namesOf(server.app.swagger() as unknown as ExampleDocument)
  t.same(
    names.filter((name) => main.includes(name)),
    [],
    'openapi.json has none of them',
  )
  t.notMatch(JSON.stringify(server.app.swagger()), /compat|orgId|roleStatus/i)
})

test('every operation has an id of its own, one tag and a summary, and every shape is used', async (t) => {
  const { text, document } = await start(t)
  const operations = describedOperations(document)
  t.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
  for (const { operation } of operations) t.match(operation, { tags: ['compat'], summary: /^[A-Z].{5,}[^.]$/ })
  const { schemas } = (JSON.parse(text) as { components: { schemas: object } }).components
  for (const name of Object.keys(schemas)) t.ok(text.includes(`"#/components/schemas/${name}"`), name)
  t.match(schemas, { ResourceType: { enum: [1, 2] }, LoginStatus: { enum: [0, 1] } })
})

test('every request, answer and required parameter has an example, and each is valid', async (t) => {
  const { document } = await start(t)
  checkBodies(t, document)
  checkParameters(t, document)
})

test('each example, sent as it is to a new installation, answers 200 or what its description says', async (t) => {
  const { document } = await start(t)
  const operations = describedOperations(document).filter(({ path }) => hasWorkbooks || !path.startsWith('/api/excel/'))
  const reading = operations.filter(({ method }) => method === 'GET')
  const others = operations.filter(({ method }) => method !== 'GET')
  for (const group of [reading, ...others.map((one) => [one])]) {
    const server = await startServer(t)
    const token = await signInFirst(server)
    for (const one of group)
      for (const [what, found, wanted, text] of await answersTo(server, token, document, one))
        t.same(found, wanted, `${what} ${text}`)
  }
})

test('before a forced change of the password only what every page asks for is answered', async (t) => {
  const { server, document } = await start(t)
  await server.addUser('alice', { forcePasswordChange: true })
  const { accessToken: token } = await server.signIn('alice')
  const open: string[] = []
  for (const { method, path } of describedOperations(document)) {
    const json = method === 'POST' ? { json: {} } : {}
    const answer = await server.call(method, path.replace(/\{\w+\}/g, '1'), { token, ...json })
    if (answer.body.data?.reason !== 'password_change_required') open.push(`${method} ${path}`)
  }
  t.same(open.sort(), [
    'GET /api/config/manage/watermark',
    'GET /api/message/bizType/list/enabled',
    'GET /api/message/page',
    'GET /api/message/unread/count',
    'GET /auth/current/menu',
    'GET /auth/tenant/options',
    'GET /crypto/public-key',
    'GET /social/user/bindings',
    'GET /system/demo/status',
    'GET /system/dict/data/list',
    'GET /system/notice/user/page',
    'GET /system/org/current/options',
    'GET /system/tenant/current/options',
    'POST /system/tenant/userTenantConfig',
  ])
})

test('no field or parameter that clients know has disappeared or changed its type', async (t) => {
  const { text } = await start(t)
  const known = JSON.parse(readFileSync(join(root, 'guests/console/test/field-types.json'), 'utf8')) as FieldTypes
  const now = fieldTypes(
    JSON.parse(text) as TypedDocument,
    new Set(Object.keys(known).filter((name) => !name.includes(' '))),
  )
  for (const [owner, fields] of Object.entries(known))
    for (const [field, type] of Object.entries(fields)) t.equal(now[owner]?.[field], type, `${owner} ${field}`)
})
