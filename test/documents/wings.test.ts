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

test('a door that depends on one above it is told', async (t) => {
  const { faultsOfDoors } = (await import(join(root, 'scripts/wings.js'))) as {
    faultsOfDoors: (doors?: object[]) => string[]
  }
  t.strictSame(faultsOfDoors(), [])
  const door = { file: 'identity/login/index.ts', name: 'identity/login', dependencies: ['run/clock', 'people/write'] }
  t.match(faultsOfDoors([door]), [/identity\/login depends on people\/write, which is above it/])
  t.match(
    faultsOfDoors([{ ...door, dependencies: ['rum/clock'] }]),
    [/depends on rum\/clock/],
    'a wing that is not there',
  )
  t.match(faultsOfDoors([{ ...door, file: 'identity/entry/index.ts', dependencies: [] }]), [/is named identity\/login/])
})
