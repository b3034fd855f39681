import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { parse } from 'yaml'
import { openInstallation } from '../../app.js'
import { createCli } from '../helpers/processes/cli.js'
import { documents, readDocument } from '../helpers/documents/documents.js'
import { root } from '../helpers/processes/project.js'

interface Block {
  /** The document and the line at which the block begins. */
  place: string
  path: string
  language: string
  code: string
  /** The comment `<!-- run by … -->` or `<!-- not run: … -->`, which holds until the next one or the next heading. */
  mark: string
}

const blocksOf = (path: string): Block[] => {
  const text = readDocument(path)
  const found: Block[] = []
  let mark = ''
  for (const match of text.matchAll(/^#+ .*$|^ *<!-- (.+) -->$|^( *)```(\w*)\n([^]*?)^ *```$/gm)) {
    const [all, comment, indent = '', language, code] = match
    if (code === undefined || language === undefined) {
      mark = all.startsWith('#') ? '' : (comment ?? '')
      continue
    }
    const place = `${path}:${text.slice(0, match.index).split('\n').length}`
    found.push({ place, path, language, mark, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') })
  }
  return found
}
const blocks = documents.flatMap(blocksOf)

/** A test and the helpers that it imports, as one text. */
const sourceOf = (path: string): string => {
  const own = readFileSync(join(root, path), 'utf8')
  const helpers = [...own.matchAll(/from '(\.\.?\/[^']+)\.js'/g)].map(([, name = '']) =>
    join(dirname(path), `${name}.ts`),
  )
  return [
    own,
    ...helpers.filter((name) => existsSync(join(root, name))).map((name) => readFileSync(join(root, name))),
  ].join()
}

test('every code block has a language, and says which test runs it or why it is not run', (t) => {
  t.ok(blocks.length > 50)
  for (const { place, path, language, mark } of blocks) {
    t.not(language, '', place)
    const [, runner] = /^run by (\S+)$/.exec(mark) ?? []
    if (runner === undefined) t.match(mark, /^not run: \S+/, `${place} is marked`)
    else if (runner !== 'test/documents/blocks.test.ts')
      t.ok(sourceOf(runner).includes(path.replace('README.md', 'README')), `${place}: ${runner} reads ${path}`)
  }
  t.end()
})

test('the tests and folders that marks name are there', (t) => {
  for (const { place, mark } of blocks) {
    for (const [path] of mark.matchAll(/\b((guests\/\w+\/)?test\/|\.ci\/)[\w./-]*\w\/?/g))
      t.ok(existsSync(join(root, path)), `${place} ${path}`)
  }
  t.end()
})

test('every block is at least written correctly in its language', (t) => {
  const check: Record<string, (code: string) => unknown> = {
    json: (code) => JSON.parse(code) as unknown,
    yaml: (code) => parse(code) as unknown,
    sh: (code) => execFileSync('bash', ['-n'], { input: code.replaceAll(/<URL [^>]*>/g, 'URL'), stdio: 'pipe' }),
  }
  for (const { place, language, code } of blocks) t.doesNotThrow(() => check[language]?.(code), place)
  t.end()
})

/** The commands `npx rollcall …` of the blocks that are marked as run here. */
const commands = blocks
  .filter(({ mark, language }) => mark.includes('blocks.test.ts') && language === 'sh')
  .flatMap(({ code, place }) =>
    code
      .trim()
      .split('\n')
      .map((line) => ({ line, place })),
  )

test('the commands of the documents run, each on a new installation', async (t) => {
  for (const { line, place } of commands) {
    const [, command] = /^npx rollcall (.+)$/.exec(line) ?? []
    if (command === undefined) throw new Error(`${place} has something else than a command: ${line}`)
    const cli = await createCli(t)
    const keys: { kid: string; status: string }[] = await cli.json('keys list')
    const kid = keys.find(({ status }) => status === 'signing')?.kid ?? ''
    const here = command.replace('KID', kid).replace(/[\w-]+\.(db|csv)\b/, (name) => join(cli.directory, name))
    await cli.done(here)
  }
  t.ok(commands.length >= 5)
})

test('the commands of all blocks exist, with their options', async (t) => {
  const { done } = await createCli(t, { installed: false })
  const called = new Map<string, string[]>()
  for (const { code } of blocks.filter(({ language }) => language === 'sh')) {
    for (const [, words = '', options = ''] of code.matchAll(/npx rollcall ((?:[a-z]+ ?){1,2})([^\n|>]*)/g)) {
      const names = [...options.matchAll(/--[a-z-]+/g)].map(([name]) => name)
      called.set(words.trim(), [...(called.get(words.trim()) ?? []), ...names])
    }
  }
  for (const [command, options] of called) {
    const help = await done(`${command} --help`)
    t.match(help, `Usage: rollcall ${command.split(' ')[0] ?? ''}`, command)
    for (const option of options) t.ok(help.includes(option), `${command} ${option}`)
  }
  t.ok(called.size > 5)
})

test('the settings that documents show are accepted', async (t) => {
  const { directory } = await createCli(t)
  const file = join(directory, 'config.json')
  const own = JSON.parse(readFileSync(file, 'utf8')) as object
  const shown = blocks.filter(({ mark, language }) => mark.includes('blocks.test.ts') && language === 'json')
  for (const { code, place } of shown) {
    writeFileSync(file, JSON.stringify({ ...own, ...(JSON.parse(code) as object) }))
    t.doesNotThrow(() => openInstallation({ DATA_DIR: directory }, { create: false }), place)
  }
  t.equal(shown.length, 1)
})
