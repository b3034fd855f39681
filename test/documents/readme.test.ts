import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { createCli } from '../helpers/cli.js'
import { root } from '../helpers/project.js'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The rows of the tables of a section, cell by cell, without backticks. */
const rowsOf = (section: string): string[][] => {
  const [, text = ''] = readme.split(new RegExp(`^## ${section}$`, 'm'))
  const [body = ''] = text.split(/^## /m)
  return [...body.matchAll(/^\| *`[^`]+` *\|.*$/gm)].map(([line]) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}
const namesOf = (section: string) => rowsOf(section).map(([name = '']) => name)

test('the table of endpoints names every route of the document and no other', (t) => {
  const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as { paths: Record<string, object> }
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  t.same(namesOf('Endpoints').sort(), routes.sort())
  t.end()
})

test('the table of commands names every command and no other', async (t) => {
  const { done } = await createCli(t, { installed: false })
  const commandsOf = async (args: string[]): Promise<string[]> => {
    const [, list = ''] = (await done([...args, '--help'])).split(/^Commands:$/m)
    return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  }
  const commands: string[] = []
  for (const name of await commandsOf([])) {
    const inner = await commandsOf([name])
    commands.push(...(inner.length > 0 ? inner.map((other) => `${name} ${other}`) : [name]))
  }
  t.same(namesOf('Command line').sort(), commands.sort())
})

test('commands are shown as npx rollcall, whose output holds no banner of npm', (t) => {
  for (const file of ['README.md', 'docs/performance.md', 'docs/federation.md', 'SECURITY.md', 'CONTRIBUTING.md']) {
    t.notMatch(readFileSync(join(root, file), 'utf8'), /npm run rollcall/, file)
  }
  t.match(readme, /npx rollcall/)
  t.equal(manifest.bin.rollcall, 'dist/cli/main.js')
  t.end()
})

test('the scripts and files that the README names are there', (t) => {
  for (const [, script = ''] of readme.matchAll(/\bnpm run ([\w:]+)/g)) t.ok(script in manifest.scripts, script)
  for (const [, target = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
    t.ok(existsSync(join(root, target)), target)
  for (const name of namesOf('Layout')) t.ok(existsSync(join(root, name)), name)
  t.end()
})
