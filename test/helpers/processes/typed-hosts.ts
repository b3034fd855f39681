import type { Test } from 'tap'
import { compileStrictly, installWithTypes, pack, type Compiler } from './package.js'

const right = `
import Fastify from 'fastify'
import rollcall, { callerOf, covers, guardRoutes, openInstallation, serverOptions, type Permission } from 'rollcall'
import { covers as alsoCovers, createClient } from 'rollcall/client'

const installation = openInstallation(process.env, { create: true })
const app = Fastify(serverOptions(installation.settings))
guardRoutes(app)
app.register(rollcall, { prefix: '/iam', installation })
const needed: Permission = 'report:daily:read'
app.get('/mine', { config: { access: 'session' } }, (request) => {
  const { username, roleKeys, permissions } = callerOf(request).user
  const may: boolean = permissions.some(covers(needed)) || permissions.some(alsoCovers('report:daily:*'))
  const names: string[] = [username, ...roleKeys]
  return { names, may }
})
const client = createClient({ baseUrl: '' })
const info = await client.call('GET /auth/userInfo')
const first: string | undefined = info.permissions[0]
export { first }
`
const wrong = [
  "app.get('/c', (request) => callerOf(request).user.nickname)",
  'const few: number[] = callerOf({ caller: undefined as never as { user: { permissions: string[] } } }).user.permissions',
  "covers('report')",
]

/** Compiles a host in an empty project, where all types of the package and of its dependencies are checked. */
export const compileHosts = async (t: Test, compilers: Compiler[]): Promise<void> => {
  const project = installWithTypes(t, pack(t))
  for (const compiler of compilers) {
    for (const resolution of ['nodenext', 'bundler'] as const) {
      await t.test(`TypeScript ${compiler}, ${resolution}`, (t) => {
        t.equal(compileStrictly(project, { content: right, compiler, resolution }), '')
        t.end()
      })
    }
  }
  const [compiler = '7'] = compilers
  const said = compileStrictly(project, { content: right + wrong.join('\n'), compiler, resolution: 'nodenext' })
  const lines = [...said.matchAll(/^host\.ts\((\d+),\d+\): error/gm)].map(([, line]) => Number(line))
  const before = right.split('\n').length
  t.same(
    [...new Set(lines)],
    wrong.map((_, index) => before + index),
    said,
  )
}
