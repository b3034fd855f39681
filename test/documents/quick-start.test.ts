import { join } from 'node:path'
import { test } from 'tap'
import { codeBlocksOf, readDocument } from '../helpers/documents/documents.js'
import { emptyDirectory } from '../helpers/processes/child.js'
import { run } from '../helpers/processes/package.js'
import { printedPassword, startProcess } from '../helpers/processes/process.js'
import { programs } from '../helpers/processes/project.js'

/** What an answer must match to be like one that a document shows: times and cut texts may differ, and fields may be left out. */
const patternOf = (shown: unknown): unknown => {
  if (Array.isArray(shown)) return shown.map(patternOf)
  if (typeof shown === 'object' && shown !== null) {
    return Object.fromEntries(
      Object.entries(shown).map(([key, value]) => [key, key === 'timestamp' ? Number : patternOf(value)]),
    )
  }
  if (typeof shown !== 'string') return shown
  if (shown.endsWith('…')) return new RegExp(`^${shown.slice(0, -1)}.+`)
  return /^\d{4}-\d\d-\d\dT/.test(shown) ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ : shown
}

test('the quick start of the README runs word for word on a new server, and its answers are as shown', async (t) => {
  const [, section = ''] = /^## Quick start$([^]*?)^## /m.exec(readDocument('README.md')) ?? []
  const server = await startProcess(t, { directory: emptyDirectory(t), environment: { PORT: '0' } })
  const pasted = {
    'http://127.0.0.1:3000': server.origin,
    'paste the password here': printedPassword(server.output.stdout),
    'paste the accessToken here': '',
    'paste the new accessToken here': '',
  }
  let variables = ''
  let answer: any
  let answers = 0
  for (const { language, code } of codeBlocksOf(section)) {
    if (language === 'sh') {
      let commands = code
      for (const [shown, real] of Object.entries(pasted)) {
        if (commands.includes(shown)) commands = commands.replace(shown, real || String(answer.data.accessToken))
      }
      variables += /^(?:[A-Z]+=.*\n)*/.exec(commands)?.[0] ?? ''
      answer = JSON.parse(run(programs, 'bash', ['-euc', variables + commands]))
      answers += 1
    } else {
      t.match(answer, patternOf(JSON.parse(code)), code)
    }
  }
  t.equal(answers, 7, 'every step was run')
})

test('the example of docs/command-line.md runs word for word and prints what is shown', async (t) => {
  const directory = emptyDirectory(t)
  const environment = { PORT: '0', ROLLCALL_ADMIN_PASSWORD: 'a kettle of the administrator' }
  await startProcess(t, { directory, environment })
  const [example, shown] = codeBlocksOf(readDocument('docs/command-line.md'))
  const npx = `npx() { shift; env DATA_DIR='${directory}' '${process.execPath}' '${join(programs, 'cli/main.js')}' "$@"; }\n`
  const printed = run(programs, 'bash', ['-euc', npx + (example?.code ?? '')])
  t.equal(printed, shown?.code)
})
