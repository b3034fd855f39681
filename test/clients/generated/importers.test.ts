import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'tap'
import { run, temporary } from '../../helpers/processes/package.js'
import { root } from '../../helpers/processes/project.js'
import { skip, tools } from '../../helpers/documents/generators.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const file = join(root, 'openapi.json')
const { servers } = JSON.parse(readFileSync(file, 'utf8'))
const { host } = new URL(servers[0].url)

interface Folder {
  item?: Folder[]
  request?: { method: string; url: { path: string[] }; body: { raw: string } }
}
const requestsOf = ({ item = [], request }: Folder): NonNullable<Folder['request']>[] =>
  request ? [request] : item.flatMap(requestsOf)

test('the sign-in that Postman fills in from the examples only wants the password', { skip }, async (t) => {
  const project = temporary(t)
  const convert = join(tools, '.bin/openapi2postmanv2')
  run(project, convert, ['-s', file, '-o', 'collection.json', '-O', 'parametersResolution=Example'])
  const collection = JSON.parse(readFileSync(join(project, 'collection.json'), 'utf8'))
  t.match(collection.variable, [{ key: 'baseUrl', value: `http://${host}` }])
  const login = requestsOf(collection).find(({ url }) => url.path.join('/') === 'auth/login')
  const raw = login?.body.raw ?? ''
  const server = await startServer(t)
  const headers = { 'content-type': 'application/json' }
  const untouched = await server.call('POST', '/auth/login', { raw, headers })
  expectProblem(t, untouched, 'invalid_request', ['password'])
  t.notMatch(untouched.text, /null|must be an object/)
  const filledIn = await server.call('POST', '/auth/login', {
    json: { ...JSON.parse(raw), password: adminPassword },
  })
  t.equal(filledIn.status, 200)
})

test('the sign-in that Postman fills in from the schemas has placeholders of one method', { skip }, async (t) => {
  const project = temporary(t)
  run(project, join(tools, '.bin/openapi2postmanv2'), ['-s', file, '-o', 'collection.json'])
  const collection = JSON.parse(readFileSync(join(project, 'collection.json'), 'utf8'))
  const login = requestsOf(collection).find(({ url }) => url.path.join('/') === 'auth/login')
  const body = JSON.parse(login?.body.raw ?? '')
  t.match(body, { authType: 'password', username: '<string>', password: '<string>' })
  const server = await startServer(t)
  // A placeholder is no number; every other field is as it should be.
  expectProblem(t, await server.call('POST', '/auth/login', { json: body }), 'invalid_request', ['tenantId'])
  const filledIn = { ...body, username: 'admin', password: adminPassword, tenantId: 1 }
  t.equal((await server.call('POST', '/auth/login', { json: filledIn })).status, 200)
})

interface Imported {
  data: { resources: { _type: string; url?: string; body?: { text: string }; data?: object }[] }
}

test('the sign-in that Insomnia fills in only wants the password', { skip }, async (t) => {
  const { convert } = createRequire(join(tools, 'x.js'))('insomnia-importers') as {
    convert: (text: string) => Promise<Imported>
  }
  const { resources } = (await convert(readFileSync(file, 'utf8'))).data
  t.ok(
    resources.some(({ data }) => JSON.stringify(data ?? {}).includes(`"host":"${host}"`)),
    'the address of a first start',
  )
  const login = resources.find(({ _type, url }) => _type === 'request' && url?.endsWith('/auth/login'))
  const raw = login?.body?.text ?? ''
  const server = await startServer(t)
  const headers = { 'content-type': 'application/json' }
  expectProblem(t, await server.call('POST', '/auth/login', { raw, headers }), 'invalid_request', ['password'])
  const filledIn = { ...JSON.parse(raw), password: adminPassword }
  t.equal((await server.call('POST', '/auth/login', { json: filledIn })).status, 200)
})
