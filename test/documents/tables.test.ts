import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { createCli } from '../helpers/processes/cli.js'
import { documents, headingsOf, linksOf, readDocument, rowsOf } from '../helpers/documents/documents.js'
import { root } from '../helpers/processes/project.js'

const namesOf = (path: string) => rowsOf(path).map(([name = '']) => name)

test('the table of endpoints names every route of the document and no other', (t) => {
  const { paths } = JSON.parse(readDocument('openapi.json')) as { paths: Record<string, object> }
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  t.same(namesOf('docs/endpoints.md').sort(), routes.sort())
  t.end()
})

test('the table of commands names every command and no other', async (t) => {
  const { done } = await createCli(t, { installed: false })
  const commandsOf = async (args: string[]): Promise<string[]> => {
    const [, list = ''] = (await done([...args, '--help'])).split(/^Commands:$/m)
    return [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  }
  const commands: string[] = []
  for (const name of await commandsOf([])) {
    const inner = await commandsOf([name])
    commands.push(...(inner.length > 0 ? inner.map((other) => `${name} ${other}`) : [name]))
  }
  t.same(namesOf('docs/command-line.md').sort(), commands.sort())
})

test('commands are shown as npx rollcall, whose output holds no banner of npm, where npx cannot ask a registry for that name', (t) => {
  t.equal(manifest.bin.rollcall, 'dist/cli/main.js')
  for (const path of documents) {
    const page = readDocument(path)
    t.notMatch(page, /npm run rollcall/, path)
    const saysWhere = path === 'README.md' || page.includes('command-line.md#where-commands-run')
    const isListOfPlaces = path === 'docs/command-line.md' || path === 'docs/README.md'
    if (page.includes('npx rollcall')) t.ok(saysWhere || isListOfPlaces, `${path} says where commands run`)
    t.notMatch(
      page,
      /npm (?:install|i|add|exec) (?:-\S+ )*rollcall(?:-client)?(?:@\S*)?(?:\s|`|$)/m,
      `${path}: not from a registry`,
    )
  }
  t.end()
})

test('documents name the version of this package', (t) => {
  const { version } = manifest
  t.match(
    readDocument('CHANGELOG.md'),
    new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`, 'm'),
  )
  for (const path of documents.filter((name) => name !== 'CHANGELOG.md'))
    for (const [name, named] of readDocument(path).matchAll(/rollcall(?:-client)?-(\d+\.\d+\.\d+)/g))
      t.equal(named, version, `${path}: ${name}`)
  // A clone may have no tags.
  for (const path of documents) t.notMatch(readDocument(path), /git (clone|checkout|switch).* v\d/, path)
  const versionOf = (path: string, text: RegExp) => text.exec(readDocument(path))?.[1]
  for (const path of ['package.json', 'package-lock.json', 'client/package.json', 'openapi.json'])
    t.equal(versionOf(path, /"version": "([^"]+)"/), version, path)
  t.end()
})

test('what documents link to is there, files and headings', (t) => {
  for (const path of documents) {
    for (const { target, heading } of linksOf(path)) {
      t.ok(existsSync(join(root, target)), `${path} links to ${target}`)
      if (heading !== '') t.ok(headingsOf(target).includes(heading), `${path} links to ${target}#${heading}`)
    }
  }
  t.end()
})

test('the scripts that documents name are there', (t) => {
  for (const path of documents) {
    for (const [, script = ''] of readDocument(path).matchAll(/\bnpm run ([\w:]+)/g)) {
      t.ok(script in manifest.scripts, `${path} names npm run ${script}`)
    }
  }
  t.end()
})

const isBuilt = (name: string) => ['build/', 'dist/', '.dev/'].includes(name)

test('the files that the README of a folder names are there', (t) => {
  for (const path of documents.filter((name) => /^[a-z]+\/README\.md$/.test(name))) {
    const folder = path.split('/')[0] ?? ''
    for (const [, name = ''] of readDocument(path).matchAll(/`([\w./-]+(?:\.[jt]s|\/))`/g)) {
      const isThere = globSync([`${folder}/{,*/}${name}`, name], { cwd: root }).length > 0
      t.ok(isThere || isBuilt(name), `${path} names ${name}`)
    }
  }
  const isPackage = (name: string) => name in manifest.dependencies
  for (const name of namesOf('CONTRIBUTING.md')) t.ok(isPackage(name) || existsSync(join(root, name)), name)
  t.end()
})

test('CONTRIBUTING.md says of every package that the service needs why it is there', (t) => {
  t.same(
    Object.keys(manifest.dependencies).filter((name) => !namesOf('CONTRIBUTING.md').includes(name)),
    [],
  )
  t.end()
})
