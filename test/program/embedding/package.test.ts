import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { filesOf, installByLinks, pack, run, typeCheck } from '../../helpers/processes/package.js'
import { root } from '../../helpers/processes/project.js'
import { linksOf } from '../../helpers/documents/documents.js'
import { embeddingExamples, tryEmbeddingExample, tryEmbeddingParts } from '../../helpers/processes/embedding-example.js'

test('the packed package', async (t) => {
  const tarball = pack(t)
  const files = filesOf(tarball)

  await t.test('has what README links to, and neither benchmarks nor tests', async (t) => {
    for (const { target } of linksOf('README.md')) t.ok(files.includes(target), target)
    t.same(
      files.filter((file) => /(^|\/)(bench|test)\//.test(file)),
      [],
    )
    for (const file of ['dist/app.js', 'dist/app.d.ts', 'dist/server.js', 'dist/cli/main.js']) {
      t.ok(files.includes(file), file)
    }
  })

  const project = installByLinks(t, tarball)

  await t.test('has no script prepare, which builds from sources; that of the clone stays', async (t) => {
    const here = dirname(tarball)
    const manifestOf = (folder: string) => readFileSync(join(folder, 'package.json'), 'utf8')
    const { scripts, ...packed } = JSON.parse(manifestOf(join(project, 'node_modules/rollcall')))
    t.notOk('prepare' in scripts)
    t.match(packed, { name: 'rollcall', exports: Object, dependencies: Object })
    t.equal(manifestOf(here), manifestOf(root))
    t.notOk(existsSync(join(here, 'package.json.kept')))
  })

  await t.test('can be packed after a pack that was interrupted', async (t) => {
    const here = dirname(tarball)
    run(here, process.execPath, ['scripts/pack.js'])
    t.notMatch(readFileSync(join(here, 'package.json'), 'utf8'), '"prepare"')
    for (const arguments_ of [[], ['--restore']]) run(here, process.execPath, ['scripts/pack.js', ...arguments_])
    t.equal(readFileSync(join(here, 'package.json'), 'utf8'), readFileSync(join(root, 'package.json'), 'utf8'))
  })

  await t.test('runs the example of docs/embedding.md word for word on empty data in an empty project', async (t) => {
    await tryEmbeddingExample(t, project)
  })

  await t.test('runs a method, a sender and a store of the host, and two services in one process', async (t) => {
    await tryEmbeddingParts(t, project)
  })

  await t.test('types policies and the caller', async (t) => {
    const example = embeddingExamples.get('host.mjs') ?? ''
    const wrong = [
      `app.get('/a', { config: { access: 42 } }, () => '')`,
      `app.get('/b', { config: { access: 'sesion' } }, () => '')`,
      `app.get('/c', (request) => callerOf(request).user.nickname)`,
      `app.get('/d', (request) => request.caller.user.username)`,
      'guardRoutes(42)',
    ]
    const said = typeCheck(project, `${example}${wrong.join('\n')}\n`, ['two.mts'])
    const lines = [...said.matchAll(/^host\.mts\((\d+),\d+\): error/gm)].map(([, line]) => Number(line))
    const first = example.split('\n').length
    t.same(
      lines,
      wrong.map((_, index) => first + index),
      `a fault for each wrong line, none for the example: ${said}`,
    )
    t.equal(said.match(/error TS/g)?.length, wrong.length, 'and none in the types of the package')
  })
})
