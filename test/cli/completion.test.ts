import { execFileSync } from 'node:child_process'
import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { codeBlocksOf, readDocument } from '../helpers/documents/documents.js'

/** What the shell offers for a line whose last word is being typed. */
const offered = (script: string, line: string): string[] => {
  const words = line.split(' ')
  const list = words.map((word) => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _rollcall; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-uc', `${script}\n${ask}`], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '')
}

test('bash completes commands, options and values by the line of docs/command-line.md', async (t) => {
  const { done } = await createCli(t, { installed: false })
  const printed = await done('completion bash')
  const [block] = codeBlocksOf(readDocument('docs/command-line.md')).filter(({ code }) =>
    code.includes('completion bash'),
  )
  const script = `rollcall() { cat <<'END'\n${printed}END\n}\n${block?.code ?? ''}`
  t.same(offered(script, 'rollcall us'), ['user'])
  t.same(offered(script, 'rollcall user en'), ['enable'])
  t.same(offered(script, 'rollcall user set'), [], 'what others call a command is not offered')
  t.ok(offered(script, 'rollcall user add ').includes('--real-name'))
  t.same(offered(script, 'rollcall user add --username alice --real'), ['--real-name'])
  t.same(offered(script, 'rollcall user add --type s'), ['system-admin'])
  t.same(offered(script, 'rollcall user show alice --j'), ['--json'])
  t.same(offered(script, 'rollcall nothing'), [])
  t.match(offered(script, 'rollcall '), ['start'])
  t.notOk(offered(script, 'rollcall user ').includes('start'))
})

test('another shell is refused', async (t) => {
  const { run } = await createCli(t, { installed: false })
  expectRefusal(t, await run('completion tcsh'), 2, /Allowed choices are bash, zsh, fish/)
})
