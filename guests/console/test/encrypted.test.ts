import { test } from 'tap'
import { describedOperations, type ExampleDocument } from '../../../test/helpers/documents/first-answers.js'
import { expectProblem } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'

/** What a relative of the front end sends whose requests are encrypted. */
const json = { data: '9f86d081884c7d659a2feaa0c55ad015', algorithm: 'SM4' }

test('an encrypted body is refused by every request, with a sentence that says what to do', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { accessToken: token } = await server.signIn()
  const before = [await server.app.db.users.find(1), await server.app.db.users.find(id)]
  const document = JSON.parse((await server.call('GET', '/openapi-compat.json')).text) as ExampleDocument
  const writing = describedOperations(document).filter(({ method }) => method === 'POST')
  t.ok(writing.length > 15)
  for (const { path } of writing) {
    // A file is no body that can be encrypted.
    if (path === '/api/file/upload') continue
    for (const [language, sentence] of [
      [
        'en',
        'The request is encrypted, which is not supported: switch the encryption of requests off in the front end',
      ],
      ['zh', '请求内容已加密，服务端不支持：请在前端关闭请求加密'],
    ] as const) {
      const query = `id=${id}&userId=${id}&status=0&password=a+brand+new+kettle&banSeconds=60&tokenValue=x`
      const headers = { 'accept-language': language }
      const answer = await server.call('POST', path.replace('{id}', String(id)), { token, json, query, headers })
      t.comment(path)
      expectProblem(t, answer, 'invalid_request', ['body'])
      t.equal(answer.body.message, sentence)
    }
  }
  const paths = ['/auth/login', '/social/bind', '/social/callback']
  for (const path of paths) expectProblem(t, await server.call('POST', path, { token, json }), 'invalid_request')
  t.same([await server.app.db.users.find(1), await server.app.db.users.find(id)], before, 'nothing was changed')
})
