import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { assignCores } from './cores.js'
import { install } from './installed.js'
import type { Bench } from './part.js'
import { parts } from './parts/index.js'
import { endAll } from './process.js'
import { createReport, formatReport, writeReport, type Section } from './report.js'

interface Options {
  users: number[]
  seconds: number
  results: string
  json?: boolean
  check?: boolean
}

const sizeNames: Record<string, number> = { small: 1000, medium: 100_000, large: 1_000_000 }

const readSizes = (text: string): number[] => {
  const sizes = text.split(',').map((name) => sizeNames[name] ?? (/^\d{1,8}$/.test(name) ? Number(name) : 0))
  // Pages of ten in three zones, and a hundred users of one tenant to sign in.
  if (sizes.some((size) => size < 1000)) throw new InvalidArgumentError('They must be numbers from 1000.')
  return [...new Set(sizes)].sort((one, other) => one - other)
}

const readSeconds = (text: string): number => {
  const seconds = Number(text)
  if (!(seconds >= 0.1 && seconds <= 60)) throw new InvalidArgumentError('It must be a number from 0.1 to 60.')
  return seconds
}

/** What shows how cost grows, and is held to no target, is measured for a part of the time. */
const shorter = 0.4

const say = (text: string) => process.stderr.write(`${text}\n`)

const run = async (names: string[], { users: sizes, seconds }: Options): Promise<Section[]> => {
  const installed = await install()
  const sections: Section[] = []
  for (const users of sizes) {
    assignCores(installed.pids, false)
    say(`filling the database up to ${users.toLocaleString('en')} users`)
    const grown = await installed.grow(users)
    sections.push({ part: 'generate', users, figures: [{ name: 'user generate', values: { seconds: grown } }] })
    const isLargest = users === sizes.at(-1)
    const bench: Bench = { ...installed, users, isLargest, seconds: isLargest ? seconds : shorter * seconds }
    for (const name of names) {
      const part = parts[name]
      if (!part || (!part.everySize && !bench.isLargest)) continue
      if (!assignCores(installed.pids, !part.sharesCores))
        say('servers and load share their cores: taskset could not part them')
      say(`measuring ${name} at ${users.toLocaleString('en')} users`)
      sections.push({ part: name, users, figures: await part.run(bench) })
    }
  }
  await installed.stop()
  return sections
}

// Whatever was started ends with this process; its directory goes with the event `exit`.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => void endAll().then(() => process.exit(code)))
}

const list = Object.entries(parts).map(([name, part]) => `  ${name.padEnd(12)} ${part.description}`)

const program = new Command('bench')
  .description('Measures what Rollcall costs beside a bare Fastify route with the simplest schema of the same answer.')
  .argument('[parts...]', 'parts to run; absent means all')
  .option('--users <counts>', 'users in the database, one number after the other: small,medium,large', readSizes, [
    ...Object.values(sizeNames),
  ])
  .option('--seconds <count>', 'length of one measurement', readSeconds, 0.5)
  .option('--results <directory>', 'where the figures are kept', 'bench/results')
  .option('--json', 'print the figures as JSON instead of tables')
  .option('--check', 'exit code 1 when a target is not met')
  .addHelpText('after', `\nParts:\n${list.join('\n')}`)
  .action(async (names: string[], options: Options) => {
    const unknown = names.filter((name) => !(name in parts))
    if (unknown.length > 0) program.error(`error: unknown part ${unknown.join(', ')}`)
    const chosen = Object.keys(parts).filter((name) => names.length === 0 || names.includes(name))
    const report = createReport(await run(chosen, options), options.seconds)
    const path = writeReport(report, options.results)
    process.stdout.write(`${options.json ? JSON.stringify(report) : formatReport(report)}\n`)
    say(`kept in ${path}`)
    const missed = report.sections.flatMap(({ figures }) => figures).filter(({ met }) => met === false)
    if (options.check && missed.length > 0) process.exitCode = 1
  })

try {
  await program.exitOverride().parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : 2
} finally {
  await endAll()
}
