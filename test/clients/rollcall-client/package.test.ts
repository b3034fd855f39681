import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { clientTypes, type Document } from '../../../scripts/client-types.js'
import { startChild } from '../../helpers/processes/child.js'
import { codeBlocksOf, readDocument } from '../../helpers/documents/documents.js'
import {
  compileStrictly,
  filesOf,
  packWithClient,
  temporary,
  typeCheck,
  unpackInto,
} from '../../helpers/processes/package.js'
import { programs, root } from '../../helpers/processes/project.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const blocks = codeBlocksOf(readDocument('docs/client.md')).map(({ code }) => code)
const built = readFileSync(join(programs, 'client/index.js'), 'utf8')

test('the types of the client are what openapi.json says', async (t) => {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Document
  t.equal(
    readFileSync(join(root, 'client/operations.ts'), 'utf8'),
    await clientTypes(document),
    'each build begins with it',
  )
})

test('the client imports nothing and takes less than 3 kB, gzipped', (t) => {
  t.notMatch(built, /^\s*import\b|\bimport\(|\brequire\(|^export .* from/m)
  const size = gzipSync(built).length
  t.ok(size < 3000, `${size} bytes`)
  t.comment(`${size} bytes, gzipped`)
  t.end()
})

const manifestOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

test('the package of the client has the version of Rollcall, no dependencies and no scripts', (t) => {
  const own = manifestOf(join(root, 'client/package.json'))
  t.equal(own['version'], manifestOf(join(root, 'package.json'))['version'])
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts'])
    t.notOk(field in own, field)
  t.end()
})

test('the packed client, installed alone into an empty project', async (t) => {
  const { client } = packWithClient(t)
  t.same(filesOf(client).toSorted(), ['LICENSE', 'index.d.ts', 'index.js', 'operations.d.ts', 'package.json'])
  const project = temporary(t)
  unpackInto(project, 'rollcall-client', client)
  const [, example = '', , call = '', version = '', permissions = '', , browser = ''] = blocks
  t.equal(blocks.length, 8)

  await t.test('whose example lists users, and says why when it is refused', async (t) => {
    const server = await startServer(t)
    const file = join(project, 'list-users.mjs')
    writeFileSync(file, example)
    const run = (PASSWORD: string) =>
      startChild(t, file, [], { directory: project, environment: { ROLLCALL: server.origin, PASSWORD } }).ended
    t.match(await run(adminPassword), { code: 0, stdout: '1 admin\n', stderr: '' })
    t.match(await run('wrong'), { code: 1, stdout: '', stderr: /^400 invalid_credentials Wrong user name/ })
  })

  await t.test('whose examples compile, and whose types refuse what the document does not have', async (t) => {
    const head = `import { createClient as create } from 'rollcall-client'\ndeclare const sessionStorage: any\ndeclare const location: any\n`
    const good = `${head}${example.replace('process.env.ROLLCALL', "''").replace('process.env.PASSWORD', "''")}${call}${version}${permissions}{\n${browser}}\n`
    const wrong = [
      `await client.call('GET /system/user/nowhere')`,
      `await client.call('GET /system/user/page', { query: { pageSize: 'five' } })`,
      `await client.call('GET /system/user/{id}')`,
      `await client.call('POST /auth/changePassword', { body: { newPassword: 5 } })`,
      `;(await client.call('GET /auth/userInfo')).nickname`,
      `await client.call('GET /auth/userInfo', { ifMatch: '*' })`,
      `await client.signIn({ user: 'admin' })`,
    ]
    const said = typeCheck(project, `${good}${wrong.join('\n')}\n`)
    const lines = [...said.matchAll(/^host\.mts\((\d+),\d+\): error/gm)].map(([, line]) => Number(line))
    const first = good.split('\n').length
    t.same(
      lines,
      wrong.map((_, index) => first + index),
      said,
    )
  })

  for (const resolution of ['nodenext', 'bundler'] as const) {
    await t.test(`whose types are whole without those of Node.js: ${resolution}`, (t) => {
      const content = `import { covers, createClient } from 'rollcall-client'
const client = createClient({ baseUrl: '' })
const { permissions } = await client.call('GET /auth/userInfo')
export const may: boolean = permissions.some(covers('system:user:add'))
`
      t.equal(compileStrictly(project, { content, compiler: '7', resolution, types: [] }), '')
      t.end()
    })
  }
})
