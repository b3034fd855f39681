import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test, type Test } from 'tap'
import { codeBlocksOf, readDocument } from '../../helpers/documents/documents.js'
import { reportsSecret, sha256 } from '../../helpers/service/resource-server.js'
import { get, startRecipe, type Program } from '../../helpers/documents/recipes.js'
import { startServer, userPassword, type ServerOptions, type TestServer } from '../../helpers/service/server.js'

const [settingsBlock, tryBlock] = codeBlocksOf(readDocument('docs/recipes/README.md'))
const shared = JSON.parse(settingsBlock?.code ?? '') as Record<string, unknown>
const introspection = { clients: [{ id: 'reports', secret: sha256(reportsSecret), audience: 'reports' }] }

/** The verifiers compare with the clock of the machine. */
const start = (t: Test, settings: ServerOptions['settings'] = {}, more: ServerOptions = {}) =>
  startServer(t, { time: Date.now(), ...more, settings: { ...shared, introspection, ...settings } })

const hasGo = spawnSync('go', ['version']).status === 0
const python = '/usr/bin/python3'
const hasFastapi =
  existsSync(python) && spawnSync(python, ['-c', 'import fastapi, uvicorn, jwt, cryptography']).status === 0
const hasPackages = existsSync('test/fixtures/recipes/node_modules/express')

interface Api {
  program: Program
  /** Whether it notices at once that a session has ended. */
  seesEnd: boolean
  /** How it answers when Rollcall does not. */
  withoutRollcall: number
  skip: string | false
}

const apis: Record<string, Api> = {
  Express: {
    program: { page: 'docs/recipes/express.md', file: 'reports.mjs', command: [process.execPath, 'reports.mjs'] },
    seesEnd: false,
    withoutRollcall: 500,
    skip: hasPackages ? false : 'run npm ci --prefix test/fixtures/recipes',
  },
  Fastify: {
    program: { page: 'docs/recipes/fastify.md', file: 'reports.mjs', command: [process.execPath, 'reports.mjs'] },
    seesEnd: false,
    withoutRollcall: 500,
    skip: false,
  },
  FastAPI: {
    program: {
      page: 'docs/recipes/fastapi.md',
      file: 'reports.py',
      command: [python, '-m', 'uvicorn', 'reports:app', '--port', 'PORT'],
    },
    seesEnd: false,
    withoutRollcall: 503,
    skip: hasFastapi ? false : 'install python3-fastapi, python3-uvicorn and python3-jwt',
  },
  Go: {
    program: { page: 'docs/recipes/go.md', file: 'reports.go', command: ['go', 'run', 'reports.go'] },
    seesEnd: true,
    withoutRollcall: 503,
    skip: hasGo ? false : 'install Go (package golang-go)',
  },
}

const environmentOf = (server: TestServer) => ({
  ROLLCALL: server.origin,
  REPORTS_SECRET: reportsSecret,
  NODE_ENV: 'production',
})

for (const [name, { program, seesEnd, withoutRollcall, skip }] of Object.entries(apis)) {
  test(`the API in ${name} takes tokens for it and refuses all others`, { skip }, async (t) => {
    const server = await start(t)
    const origin = await startRecipe(t, program, environmentOf(server))
    const { accessToken: admin } = await server.signIn()
    t.match(await get(`${origin}/me`, admin), { status: 200, text: 'user 1' })
    t.match(await get(`${origin}/reports`, admin), { status: 200, text: 'All is well' })

    // Signed by the same keys.
    const elsewhere = await start(t, { issuer: 'elsewhere' })
    const foreign = await start(t, {}, { isForeign: true })
    const lastOf = admin.length - 10
    const refused: Record<string, string | undefined> = {
      none: undefined,
      'no JWT': 'nothing',
      'a forged signature': `${admin.slice(0, lastOf)}${admin[lastOf] === 'A' ? 'B' : 'A'}${admin.slice(lastOf + 1)}`,
      'without a signature': `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${admin.split('.')[1] ?? ''}.`,
      'for another audience': (await server.signIn('admin', undefined, { userClient: 'app' })).accessToken,
      'of another issuer': (await elsewhere.signIn()).accessToken,
      'of other keys': (await foreign.signIn()).accessToken,
    }
    for (const [kind, token] of Object.entries(refused)) {
      const answer = await get(`${origin}/me`, token)
      t.match(answer, { status: 401, challenge: 'Bearer' }, kind)
      t.notMatch(answer.text, /user|eyJ/)
    }

    await server.operator.addRole('reader', 'Reader', ['report:*:read'])
    await server.operator.addRole('near', 'Near', ['report:daily:write', 'report:weekly:*', 'other:*:*'])
    const tokens: Record<string, string> = {}
    for (const [username, roles] of Object.entries({ reader: ['reader'], near: ['near'], nobody: [] })) {
      await server.addUser(username, { roles })
      tokens[username] = (await server.signIn(username, userPassword)).accessToken
    }
    t.match(await get(`${origin}/reports`, tokens['reader']), { status: 200 }, '* is any word')
    for (const username of ['near', 'nobody']) {
      t.match(await get(`${origin}/me`, tokens[username]), { status: 200 }, username)
      const answer = await get(`${origin}/reports`, tokens[username])
      t.equal(answer.status, 403, username)
      t.notMatch(answer.text, /All is well/)
    }

    await server.call('POST', '/auth/logout', { token: tokens['reader'] ?? '' })
    const ended = await get(`${origin}/reports`, tokens['reader'])
    t.equal(ended.status, seesEnd ? 401 : 200, 'a token whose session has ended, which the page says')

    server.clock.advance(-3600)
    const { accessToken: expired } = await server.signIn()
    server.clock.advance(3600)
    t.match(await get(`${origin}/me`, expired), { status: 401, challenge: 'Bearer' }, 'an expired token')
  })

  test(`the API in ${name} lets nobody through while Rollcall does not answer`, { skip }, async (t) => {
    const server = await start(t)
    const { accessToken } = await server.signIn()
    const origin = await startRecipe(t, program, environmentOf(server))
    await server.app.close()
    const answer = await get(`${origin}/reports`, accessToken)
    t.equal(answer.status, withoutRollcall)
    t.notMatch(answer.text, /All is well|\w+Error: /, 'neither the reports nor what has failed')
  })
}

test('the pages say how to start what the tests start', (t) => {
  t.match(tryBlock?.code, /^curl -i http:\/\/127\.0\.0\.1:4000\/reports -H "Authorization: Bearer \$TOKEN"$/m)
  t.match(readDocument('docs/recipes/go.md'), /REPORTS_SECRET=\$\(cat reports\.secret\) go run reports\.go/)
  t.match(readDocument('docs/recipes/fastapi.md'), 'python3 -m uvicorn reports:app --port 4000')
  t.match(readDocument('docs/recipes/express.md'), '`NODE_ENV=production node reports.mjs`')
  t.match(readDocument('docs/recipes/fastify.md'), '`node reports.mjs`')
  t.end()
})
