import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { readDocument } from '../helpers/documents/documents.js'
import { root } from '../helpers/processes/project.js'

const foldersOf = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

test('plugins/README.md lists the wings in the order that lint proves', async (t) => {
  const { wings } = (await import(join(root, 'scripts/wings.js'))) as { wings: string[] }
  const rows = [...readDocument('plugins/README.md').matchAll(/^\| `(\w+)\/` /gm)].map(([, name]) => name)
  t.strictSame(rows, wings)
  t.strictSame(foldersOf('plugins').sort(), [...wings].sort())
})

test('the README of a wing names every room of it, and nothing that is not there', (t) => {
  for (const wing of foldersOf('plugins')) {
    const text = readDocument(`plugins/${wing}/README.md`)
    const named = [...text.matchAll(/`([a-z][\w./-]*)`/g)].map(([, name = '']) => name)
    for (const room of foldersOf(`plugins/${wing}`))
      t.ok(
        named.some((name) => name.startsWith(`${room}/`)),
        `${wing} names ${room}/`,
      )
    for (const name of named.filter((one) => /\/$|\.(ts|js)$/.test(one) && !one.includes('*')))
      t.ok(
        globSync([`plugins/${wing}/{,*/}${name}`, `plugins/${name}`, name], { cwd: root }).length > 0,
        `${wing}: ${name}`,
      )
  }
  t.end()
})

test('a door that uses what one above it makes, or what starts after it, is told', async (t) => {
  const { faultsOfDoors } = (await import(join(root, 'scripts/wings.js'))) as {
    faultsOfDoors: (doors?: object[], order?: string[]) => string[]
  }
  t.strictSame(faultsOfDoors(), [])
  const clock = { file: 'run/clock.ts', name: 'run/clock', makes: ['clock'], uses: [] }
  const write = { file: 'people/write/index.ts', name: 'people/write', makes: ['accounts'], uses: ['clock'] }
  const login = { file: 'identity/login/index.ts', name: 'identity/login', makes: ['login'], uses: ['clock'] }
  const order = ['run/clock', 'people/write', 'identity/login']
  t.strictSame(faultsOfDoors([clock, write, login], order), [])
  t.match(faultsOfDoors([clock, write, { ...login, uses: ['clock', 'accounts'] }], order), [
    /identity\/login depends on people\/write, which is above it/,
  ])
  t.match(faultsOfDoors([clock, write, login], order.toReversed()), [
    /people\/write uses what run\/clock makes, which starts after it/,
    /identity\/login uses what run\/clock makes/,
  ])
  t.match(faultsOfDoors([{ ...clock, file: 'run/watch.ts' }], order), [/is named run\/clock/])
})

test('what doors use of the app is found, whatever way they take it', async (t) => {
  const { doors, startOrder } = (await import(join(root, 'scripts/wings.js'))) as {
    doors: () => { name: string; makes: string[]; uses: string[] }[]
    startOrder: () => string[]
  }
  const found = new Map(doors().map((door) => [door.name, door]))
  t.ok(found.get('people/own')?.uses.includes('oneTimeCodes'), 'by name')
  t.ok(found.get('people/identities')?.uses.includes('federation'), 'by taking the app apart')
  t.ok(found.get('entry')?.uses.includes('sessions'), 'as a parameter')
  t.ok(found.get('people/manage')?.uses.includes('lists'), 'as a whole, by what its rooms need')
  t.strictSame(found.get('people/overview')?.makes, ['overview'])
  for (const name of startOrder()) t.ok(found.has(name), `${name} is a door`)
  t.ok(startOrder().length > 50)
})
