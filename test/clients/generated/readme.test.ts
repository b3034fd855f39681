import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { codeBlocksOf, readDocument } from '../../helpers/documents/documents.js'
import { run, temporary } from '../../helpers/processes/package.js'
import { startProcess } from '../../helpers/processes/process.js'
import { skip, tools } from '../../helpers/documents/generators.js'

// Without the network: `npm install` links what is installed here.
const npm = `npm() { if [ "$1" = install ]; then ln -s '${tools}' .; else command npm "$@"; fi; }\n`

test('the generated client of the README compiles and lists users, word for word', { skip }, async (t) => {
  const [, section = ''] = /^## A generated client$([^]*?)^## /m.exec(readDocument('README.md')) ?? []
  const environment = { PORT: '0', ROLLCALL_ADMIN_PASSWORD: 'a brand new kettle' }
  const server = await startProcess(t, { directory: emptyDirectory(t), environment })
  const blocks = codeBlocksOf(section.replaceAll('http://127.0.0.1:3000', server.origin))
  t.same(
    blocks.map(({ language }) => language),
    ['sh', 'ts', 'sh', 'text'],
  )
  const [generate, program, compileAndRun, printed] = blocks.map(({ code }) => code)
  const manifest = JSON.parse(readFileSync(join(tools, '../package.json'), 'utf8'))
  for (const name of ['openapi-fetch', 'openapi-typescript'] as const) {
    const version = /@(\d+\.\d+)/.exec(generate?.slice(generate.indexOf(`${name}@`)) ?? '')?.[1]
    t.ok(manifest.devDependencies[name].startsWith(`${version}.`), `${name} is tested in the version of the README`)
  }

  const project = temporary(t)
  run(project, 'bash', ['-euc', `${npm}${generate}`])
  writeFileSync(join(project, 'list-users.ts'), program ?? '')
  t.equal(run(project, 'bash', ['-euc', compileAndRun ?? '']), printed)
})
