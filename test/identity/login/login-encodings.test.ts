import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword } from '../../helpers/service/server.js'

const credentials = { username: 'admin', password: adminPassword }
const form = 'application/x-www-form-urlencoded'

test('a sign-in may be JSON or a form', async (t) => {
  const server = await startServer(t)
  const json = JSON.stringify(credentials)
  const fields = new URLSearchParams(credentials).toString()
  const rows: [sentence: string, type: string, raw: string][] = [
    ['JSON', 'application/json', json],
    ['JSON with a charset', 'application/json; charset=utf-8', json],
    ['JSON with a charset in capitals', 'Application/JSON;charset=UTF-8', json],
    ['JSON with white space around', 'application/json', `\r\n ${json} \n`],
    ['a form', form, fields],
    ['a form with a charset', `${form}; charset=UTF-8`, fields],
    ['a form with spaces as %20', form, fields.replaceAll('+', '%20')],
    ['a form with empty and unknown fields', form, `${fields}&tenantId=&userClient=&authType=&code=&remember=on`],
  ]
  for (const [sentence, type, raw] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call('POST', '/auth/login', { raw, headers: { 'content-type': type } })
      t.equal(expectSuccess(t, answer).userInfo.username, 'admin')
      t.match(answer.headers.get('content-type'), 'application/json')
    })
  }
})

test('a form is checked as JSON is', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, form: Record<string, string>, fields: string[]][] = [
    ['nothing', {}, ['username', 'password']],
    ['an empty name', { username: '', password: 'x' }, ['username']],
    ['a client kind that does not exist', { ...credentials, userClient: 'tv' }, ['userClient']],
    ['a tenant that is no number', { ...credentials, tenantId: 'one' }, ['tenantId']],
  ]
  for (const [sentence, form, fields] of rows) {
    await t.test(sentence, async (t) => {
      expectProblem(t, await server.call('POST', '/auth/login', { form }), 'invalid_request', fields)
    })
  }
  expectProblem(
    t,
    await server.call('POST', '/auth/login', { form: { ...credentials, authType: 'x' } }),
    'unsupported_auth_type',
  )
  const wrong = { ...credentials, password: 'wrong horse battery' }
  expectProblem(t, await server.call('POST', '/auth/login', { form: wrong }), 'invalid_credentials')
})

test('the query signs nobody in', async (t) => {
  const server = await startServer(t)
  for (const options of [{}, { json: {} }, { form: {} }]) {
    const answer = await server.call('POST', '/auth/login', { ...options, query: credentials })
    expectProblem(t, answer, 'invalid_request', ['username', 'password'])
  }
  t.notMatch(server.log(), /correct.horse/)
})

test('the tenant is an integer, as a number or as digits; absent it is the default one', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  await server.addUser('alice')
  await server.addUser('alice', { tenantId: other.id, password: 'violet garden gate' })
  const rows: [tenantId: unknown, password: string, expected: number][] = [
    [undefined, userPassword, 1],
    [null, userPassword, 1],
    ['', userPassword, 1],
    [1, userPassword, 1],
    ['1', userPassword, 1],
    [other.id, 'violet garden gate', other.id],
    [String(other.id), 'violet garden gate', other.id],
  ]
  for (const [tenantId, password, expected] of rows) {
    await t.test(`${JSON.stringify(tenantId)} is tenant ${expected}`, async (t) => {
      const data = expectSuccess(
        t,
        await server.call('POST', '/auth/login', { json: { username: 'alice', password, tenantId } }),
      )
      t.equal(data.userInfo.tenantId, expected)
      t.equal(data.userInfo.tenantName, expected === 1 ? 'Default' : 'Other')
    })
  }
  const crossed = { username: 'alice', password: 'violet garden gate' }
  expectProblem(t, await server.call('POST', '/auth/login', { json: crossed }), 'invalid_credentials')
  const fromForm = await server.call('POST', '/auth/login', { form: { ...crossed, tenantId: String(other.id) } })
  t.equal(expectSuccess(t, fromForm).userInfo.tenantId, other.id)
})

test('anything else is no tenant', async (t) => {
  const server = await startServer(t)
  const rows = ['one', '1x', ' 1', '1.0', 1.5, '1e0', '0x1', 0, '0', -1, '-1', true, [1], ['1'], {}, '１']
  for (const tenantId of rows) {
    await t.test(JSON.stringify(tenantId), async (t) => {
      const answer = await server.call('POST', '/auth/login', { json: { ...credentials, tenantId } })
      expectProblem(t, answer, 'invalid_request', ['tenantId'])
    })
  }
})

test('an integer that no tenant has is an unknown tenant, as long as the document allows it', async (t) => {
  const server = await startServer(t)
  for (const tenantId of [2, '2', Number.MAX_SAFE_INTEGER, '9'.repeat(30)]) {
    await t.test(JSON.stringify(tenantId), async (t) => {
      const answer = await server.call('POST', '/auth/login', { json: { ...credentials, tenantId } })
      expectProblem(t, answer, 'invalid_credentials')
    })
  }
  for (const tenantId of [2 ** 53, 2 ** 60, 1e308]) {
    await t.test(JSON.stringify(tenantId), async (t) => {
      const answer = await server.call('POST', '/auth/login', { json: { ...credentials, tenantId } })
      expectProblem(t, answer, 'invalid_request', ['tenantId'])
    })
  }
})
