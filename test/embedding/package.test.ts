import { test } from 'tap'
import { filesOf, installByLinks, pack, typeCheck } from '../helpers/package.js'
import { linksOf } from '../helpers/documents.js'
import { embeddingExamples, tryEmbeddingExample, tryEmbeddingParts } from '../helpers/embedding-example.js'

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
