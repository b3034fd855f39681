import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { root } from '../../helpers/processes/project.js'

/** What the package runs, without its development programs. */
const shipped = ['app.ts', 'server.ts', '{guests,lib,plugins,routes,schemas,db,cli,client}/**/*.{ts,js}']
const isShipped = (file: string) => !/^guests\/[^/]+\/(test|pages)\//.test(file)

/** What only operators install who use it: docs/deployment.md, "Text messages by Alibaba Cloud". */
const installedByOperators = ['@alicloud/dysmsapi20170525', '@alicloud/openapi-core']

const nameOf = (specifier: string) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''

/** The packages that the shipped files load at any time, with one of the files. Types alone are not loaded. */
const loaded = new Map<string, string>()
for (const file of globSync(shipped, { cwd: root }).filter(isShipped)) {
  const source = readFileSync(join(root, file), 'utf8').replaceAll(/^import type [^;]*? from '[^']+'/gm, '')
  for (const [, one, other] of source.matchAll(
    /^(?:import|export|\}) .*?from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm,
  )) {
    const specifier = one ?? other ?? ''
    if (!isBuiltin(specifier)) loaded.set(nameOf(specifier), file)
  }
}

test('what a setting needs is installed: every package that is loaded is a dependency', (t) => {
  const optional = Object.keys(manifest.peerDependenciesMeta)
  const needed = Object.keys(manifest.peerDependencies).filter((name) => !optional.includes(name))
  const installed = [...Object.keys(manifest.dependencies), ...needed]
  const missing = [...loaded].filter(([name]) => !installed.includes(name))
  t.strictSame(missing.map(([name]) => name).toSorted(), installedByOperators, JSON.stringify(missing))
  for (const name of ['ioredis', 'prom-client', 'pg', 'nodemailer']) t.ok(loaded.has(name), `${name} is found`)
  t.end()
})
