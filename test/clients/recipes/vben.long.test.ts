import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { startChild } from '../../helpers/processes/child.js'
import { root } from '../../helpers/processes/project.js'
import { recipeProject } from '../../helpers/documents/recipes.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const fixture = 'test/fixtures/consoles'
const skip = existsSync(`${fixture}/node_modules/axios`) ? false : `run npm ci --prefix ${fixture}`
const page = 'docs/recipes/vben.md'

/** Runs functions of the page one after the other and prints what each resolves to, or the refusal that a person would read. */
const program = `import * as auth from './src/api/core/auth.ts'
import * as user from './src/api/core/user.ts'
import * as users from './src/api/system/user.ts'
import { useAccessStore } from '@vben/stores'
const results = []
for (const [name, ...args] of JSON.parse(process.argv[2])) {
  const result = await { ...auth, ...user, ...users }[name](...args).then(
    (value) => ({ value: value?.config ? value.status : value }),
    ({ response }) => ({ status: response?.status, message: response?.data?.message }),
  )
  results.push(result)
  if (name === 'loginApi' && result.value) useAccessStore().setAccessToken(result.value.accessToken)
}
console.log(JSON.stringify({ results, token: useAccessStore().accessToken }))
`

test('the files for Vben sign in, refresh, list and change users', { skip }, async (t) => {
  const server = await startServer(t, { time: Date.now() })
  await server.addUser('alice', { realName: 'Alice' })
  const project = recipeProject(t, page, fixture)
  for (const name of ['core/auth.ts', 'core/user.ts', 'system/user.ts']) {
    const file = join(project, 'src/api', name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll("'#/api/request'", "'../request.ts'"))
  }
  const standIns = join(root, fixture, 'vben')
  const stores = join(project, 'node_modules/@vben/stores')
  mkdirSync(stores, { recursive: true })
  cpSync(join(standIns, 'stores.js'), join(stores, 'index.js'))
  writeFileSync(join(stores, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
  cpSync(join(standIns, 'request.ts'), join(project, 'src/api/request.ts'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(project, 'run.js'), program)

  const run = async (token: string | undefined, ...calls: unknown[][]) => {
    const environment = { ROLLCALL: server.origin, ...(token === undefined ? {} : { TOKEN: token }) }
    const options = { directory: project, environment }
    const { code, stdout, stderr } = await startChild(t, join(project, 'run.js'), [JSON.stringify(calls)], options)
      .ended
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as { results: any[]; token: string | null }
  }
  const form = { username: 'admin', password: adminPassword, captcha: true, selectAccount: 'vben' }

  const refused = await run(undefined, ['loginApi', { ...form, password: 'wrong' }], ['getUserInfoApi'])
  t.match(refused, { token: null, results: [{ status: 400, message: /[\u4e00-\u9fff]/ }, { status: 401 }] })

  const { results, token } = await run(
    undefined,
    ['loginApi', form],
    ['getUserInfoApi'],
    ['getAccessCodesApi'],
    ['getUserPage', { page: { currentPage: 1, pageSize: 1 }, sort: { field: 'username', order: 'desc' } }, {}],
    ['getUserPage', { page: { currentPage: 1, pageSize: 10 } }, { username: 'lic' }],
    ['addUser', { username: 'bob', password: 'a brand new kettle' }],
    ['addUser', { username: 'alice', password: 'a brand new kettle' }],
  )
  const [login, info, codes, sorted, filtered, added, taken] = results
  t.match(login.value, { accessToken: /^eyJ/ })
  t.match(info.value, { userId: '1', username: 'admin', roles: ['admin'], avatar: '' })
  t.same(codes.value, ['*:*:*'])
  t.match(sorted.value, { records: [{ username: 'alice' }], total: 2 })
  t.equal(sorted.value.records.length, 1)
  t.match(filtered.value, { records: [{ username: 'alice' }], total: 1 })
  t.match(taken, { status: 400, message: /./ })
  t.notOk('value' in taken)

  const { id } = added.value as { id: number }
  const changed = await run(
    token ?? '',
    ['changeUser', id, { remark: 'new' }],
    ['getUser', id],
    ['deleteUser', id],
    ['getUser', id],
  )
  t.match(changed.results, [
    { value: { remark: 'new' } },
    { value: { username: 'bob', remark: 'new' } },
    {},
    { status: 404 },
  ])

  server.clock.advance(1801)
  const refreshed = await run(token ?? '', ['getUserInfoApi'])
  t.match(refreshed.results, [{ value: { username: 'admin' } }])
  t.not(refreshed.token, token, 'an expired token is exchanged')
  // Vben has forgotten the token when it signs out because of a refused one.
  t.match(await run(undefined, ['logoutApi']), { results: [{ value: 200 }] })
  const left = await run(refreshed.token ?? '', ['logoutApi'], ['getUserInfoApi'])
  t.match(left, { token: null, results: [{ value: 200 }, { status: 401 }] })
})
