import { execFile } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { run, temporary } from '../../helpers/processes/package.js'
import { root } from '../../helpers/processes/project.js'
import { skip, tools } from '../../helpers/documents/generators.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

interface Generator {
  command: string[]
  /** A configuration file in the project, whose API is at this origin. */
  file?: (origin: string) => [name: string, content: string]
}

const generators: Record<string, Generator> = {
  'openapi-fetch': { command: ['openapi-typescript', 'openapi.json', '--output', 'generated.ts'] },
  'swagger-typescript-api': {
    command: ['swagger-typescript-api', 'generate', '--path=openapi.json', '--output=.', '--name=generated.ts'].concat(
      '--enum-style=union',
    ),
  },
  orval: {
    command: ['orval', '--config', 'orval.config.mjs'],
    file: (baseUrl) => [
      'orval.config.mjs',
      `export default ${JSON.stringify({ rollcall: { input: 'openapi.json', output: { target: 'generated.ts', client: 'fetch', baseUrl } } })}`,
    ],
  },
  'hey-api': {
    command: ['openapi-ts'],
    file: () => [
      'openapi-ts.config.mjs',
      `export default { input: 'openapi.json', output: { path: 'generated', module: { extension: '.js' } } }`,
    ],
  },
}

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  outDir: 'built',
}

const expected = {
  login: 200,
  refreshed: 200,
  added: 'alice',
  changed: 'Alice Liddell',
  listed: ['alice', 'admin'],
  deleted: 200,
  logout: 200,
  refused: [401, 'session_revoked'],
}

for (const [name, { command, file }] of Object.entries(generators)) {
  test(
    `a client made by ${name} compiles, refuses wrong bodies, and signs in, manages users and signs out`,
    { skip },
    async (t) => {
      const project = temporary(t)
      symlinkSync(tools, join(project, 'node_modules'))
      cpSync(join(root, 'openapi.json'), join(project, 'openapi.json'))
      cpSync(join(root, `test/fixtures/clients/${name}.ts`), join(project, `${name}.ts`))
      const server = await startServer(t)
      const files = [
        ['package.json', '{ "type": "module" }'],
        ['tsconfig.json', JSON.stringify({ compilerOptions, files: [`${name}.ts`] })],
        ...(file ? [file(server.origin)] : []),
      ] as const
      for (const [path, content] of files) writeFileSync(join(project, path), content)

      for (const [program = '', ...args] of [command, ['tsc']]) run(project, join('node_modules/.bin', program), args)
      const environment = { PATH: process.env['PATH'], ROLLCALL: server.origin, PASSWORD: adminPassword }
      const program = ['--no-warnings', `built/${name}.js`]
      const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: project, env: environment })
      t.strictSame(JSON.parse(stdout), expected)
    },
  )
}
