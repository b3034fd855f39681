import { test } from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { lastStage, readDeployed } from '../../helpers/processes/deployed.js'

/** The flags before the first word that is none, which is the program. */
const flagsOf = ([, ...words]: string[]): string[] =>
  words.slice(
    0,
    words.findIndex((word) => !word.startsWith('--')),
  )

test('the image, the systemd unit and the document run Node.js with the flags and variables of npm start', async (t) => {
  const [variable = '', , ...start] = manifest.scripts.start.split(' ')
  t.match(variable, /^[A-Z_]+=\d$/)
  const environment = lastStage().flatMap(([name, value]) => (name === 'ENV' ? value.split(' ') : []))
  t.ok(environment.includes(variable))
  t.match(readDeployed('deploy/rollcall.service'), `\nEnvironment=${variable}\n`)
  const flags = flagsOf(start)
  t.not(flags.length, 0)
  const [, command = '[]'] = lastStage().find(([name]) => name === 'CMD') ?? []
  t.strictSame(flagsOf(JSON.parse(command) as string[]), flags)
  const [, line = ''] = /^ExecStart=\/usr\/bin\/env (.*)$/m.exec(readDeployed('deploy/rollcall.service')) ?? []
  t.strictSame(flagsOf(line.split(' ')), flags)
  t.match(readDeployed('docs/performance.md'), `\`${variable} node ${flags.join(' ')} dist/server.js\``)
})
