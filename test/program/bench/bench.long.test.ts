import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { isMet, type Figure } from '../../../bench/part.js'
import { guests } from '../../../guests/index.js'
import { emptyDirectory, startChild } from '../../helpers/processes/child.js'
import { expectRefusal } from '../../helpers/processes/cli.js'
import { eventually } from '../../helpers/processes/process.js'

/** Starts the benchmark with a place of its own for temporary files; it ends when the last of its processes has. */
const startBench = async (t: Test, args: string[]) => {
  const directory = emptyDirectory(t)
  const temporary = join(directory, 'temporary')
  const results = join(directory, 'results')
  mkdirSync(temporary, { recursive: true })
  const environment = { TMPDIR: temporary }
  const bench = startChild(t, 'bench/main.js', [...args, '--results', results], { directory, environment })
  return { ...bench, results, leftovers: () => readdirSync(temporary) }
}

const short = ['--users', 'small', '--seconds', '0.1']

/** For tests that fill a database: the benchmark does that by a command of a guest. */
const fills = { skip: guests.some(({ name }) => name === 'samples') ? false : 'there is no rollcall user generate' }

test(
  'a part measures Rollcall beside the bare route, keeps the figures and leaves nothing else behind',
  fills,
  async (t) => {
    const bench = await startBench(t, ['userInfo', 'memory', ...short, '--json'])
    const { code, stdout, stderr } = await bench.ended
    t.equal(code, 0, stderr)
    const report = JSON.parse(stdout) as { sections: { part: string; users: number; figures: Figure[] }[] }
    t.same(
      report.sections.map(({ part, users }) => [part, users]),
      [
        ['generate', 1000],
        ['userInfo', 1000],
        ['memory', 1000],
      ],
    )
    const { perSecond = 0, limitPerSecond = 0, ratio = 0 } = report.sections[1]?.figures[0]?.values ?? {}
    t.ok(perSecond > 0 && limitPerSecond > 0)
    // The median of the ratios of the rounds, which on a busy machine is not quite that of the medians.
    t.ok(ratio > (0.2 * perSecond) / limitPerSecond && ratio < (5 * perSecond) / limitPerSecond, `${ratio}`)
    t.ok((report.sections[2]?.figures[0]?.values['MiB'] ?? 0) > 20)
    const [file = ''] = readdirSync(bench.results)
    t.same(JSON.parse(readFileSync(join(bench.results, file), 'utf8')), report)
    t.same(bench.leftovers(), [])
  },
)

test('without --json the figures are a table with the target', fills, async (t) => {
  const { code, stdout } = await (await startBench(t, ['userInfo', ...short])).ended
  t.equal(code, 0)
  t.match(stdout, /userInfo, 1,000 users.*perSecond.*limitPerSecond.*ratio.*target/)
  t.match(stdout, /ratio >= 0\.5/)
})

test('second steps by app and by passkey are compared with sign-ins by the ticket of a provider', fills, async (t) => {
  const { code, stdout, stderr } = await (await startBench(t, ['secondStep', ...short, '--json'])).ended
  t.equal(code, 0, stderr)
  const report = JSON.parse(stdout) as { sections: { part: string; figures: Figure[] }[] }
  const figures = report.sections.find(({ part }) => part === 'secondStep')?.figures ?? []
  t.same(
    figures.map(({ target }) => target),
    [
      { value: 'ratio', atLeast: 0.8 },
      { value: 'ratio', atLeast: 0.4 },
    ],
  )
  for (const { name, values } of figures) t.ok((values['ratio'] ?? 0) > 0.1 && (values['ratio'] ?? 9) < 2, name)
})

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
] as const) {
  test(`${signal} ends the processes of the benchmark and removes its data`, fills, async (t) => {
    const bench = await startBench(t, ['userInfo', '--users', 'small', '--seconds', '20'])
    await eventually('the measurement', () => (bench.output.stderr.includes('measuring userInfo') ? true : undefined))
    t.equal(bench.leftovers().length, 1)
    bench.child.kill(signal)
    const outcome = await bench.ended
    t.equal(outcome.code, code)
    t.same(bench.leftovers(), [])
  })
}

test('--help names the parts', async (t) => {
  const { code, stdout } = await (await startBench(t, ['--help'])).ended
  t.equal(code, 0)
  for (const part of [
    'start',
    'userInfo',
    'listPages',
    'listQueries',
    'login',
    'secondStep',
    'latency',
    'refresh',
    'captcha',
    'requests',
    'memory',
    'memoryAtEnd',
  ])
    t.match(stdout, new RegExp(`^ {2}${part} `, 'm'))
})

for (const [args, message] of [
  [['userinfo'], /unknown part userinfo/],
  [['--users', '10'], /They must be numbers from 1000/],
  [['--users', 'many'], /They must be numbers from 1000/],
  [['--seconds', '0'], /It must be a number from 0.1 to 60/],
] as const) {
  test(`bench ${args.join(' ')} is a wrong command line`, async (t) => {
    expectRefusal(t, await (await startBench(t, [...args])).ended, 2, message)
  })
}

test('a target is met when the value is on its side', (t) => {
  const figure = (ratio: number, target?: Figure['target']) => isMet({ name: '', values: { ratio }, target })
  t.equal(figure(0.5, { value: 'ratio', atLeast: 0.5 }), true)
  t.equal(figure(0.49, { value: 'ratio', atLeast: 0.5 }), false)
  t.equal(figure(5, { value: 'ratio', atMost: 5 }), true)
  t.equal(figure(5.1, { value: 'ratio', atMost: 5 }), false)
  t.equal(figure(1, { value: 'absent', atLeast: 0 }), false, 'what was not measured is not met')
  t.equal(figure(1), undefined)
  t.end()
})
