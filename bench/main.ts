import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { assignCores, keepOnLoadCore } from './cores.js'
import { removeDatabases } from './database.js'
import { install } from './installed.js'
import type { Bench } from './part.js'
import { parts } from './parts/index.js'
import { endAll } from './process.js'
import { createReport, formatReport, writeReport, type Section } from './report.js'

interface Options {
  database?: string
  users: number[]
  seconds: number
  results: string
  json?: boolean
  check?: boolean
}

const sizeNames: Record<string, number> = { small: 1000, medium: 100_000, large: 1_000_000 }

const readSizes = (text: string): number[] => {
  const sizes = text.split(',').map((name) => sizeNames[name] ?? (/^\d{1,8}$/.test(name) ? Number(name) : 0))
  // The parts need enough pages of ten, and a hundred users of one tenant who sign in.
  if (sizes.some((size) => size < 1000)) throw new InvalidArgumentError('They must be numbers from 1000.')
  return [...new Set(sizes)].sort((one, other) => one - other)
}

const readSeconds = (text: string): number => {
  const seconds = Number(text)
  if (!(seconds >= 0.1 && seconds <= 60)) throw new InvalidArgumentError('It must be a number from 0.1 to 60.')
  return seconds
}

/** Measurements with fewer users have no target; they take this share of the time. */
const shorter = 0.4

const say = (text: string) => process.stderr.write(`${text}\n`)

const run = async (names: string[], { users: sizes, seconds, database }: Options): Promise<Section[]> => {
  const installed = await install(database)
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
        say('taskset failed: the servers and the load share their cores')
      say(`measuring ${name} at ${users.toLocaleString('en')} users`)
      const release = part.sharesCores ? () => undefined : keepOnLoadCore(installed.database.pids)
      sections.push({ part: name, users, figures: await part.run(bench) })
      release()
    }
  }
  await installed.stop()
  return sections
}

const cleanUp = async () => {
  await endAll()
  await removeDatabases()
}

// All children end with this process; the event `exit` deletes the data directory.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => void cleanUp().finally(() => process.exit(code)))
}

const list = Object.entries(parts).map(([name, part]) => `  ${name.padEnd(12)} ${part.description}`)

const program = new Command('bench')
  .description(
    'Measures the throughput of Rollcall relative to a Fastify route that returns a ready-made copy of the same response.',
  )
  .argument('[parts...]', 'parts to run; absent means all')
  .option(
    '--users <counts>',
    'numbers of users in the database, measured one after the other: small,medium,large',
    readSizes,
    [...Object.values(sizeNames)],
  )
  .option('--seconds <count>', 'length of one measurement in seconds', readSeconds, 0.5)
  .option(
    '--database <url>',
    'a PostgreSQL server, on which a database of its own is created and dropped; absent means SQLite',
  )
  .option('--results <directory>', 'where the report is written', 'bench/results')
  .option('--json', 'print the figures as JSON instead of tables')
  .option('--check', 'exit code 1 when a target is not met')
  .addHelpText('after', `\nParts:\n${list.join('\n')}`)
  .action(async (names: string[], options: Options) => {
    const unknown = names.filter((name) => !(name in parts))
    if (unknown.length > 0) program.error(`error: unknown part ${unknown.join(', ')}`)
    const chosen = Object.keys(parts).filter((name) => names.length === 0 || names.includes(name))
    const report = createReport(await run(chosen, options), options)
    const path = writeReport(report, options.results)
    process.stdout.write(`${options.json ? JSON.stringify(report) : formatReport(report)}\n`)
    say(`report: ${path}`)
    const missed = report.sections.flatMap(({ figures }) => figures).filter(({ met }) => met === false)
    if (options.check && missed.length > 0) process.exitCode = 1
  })

try {
  await program.exitOverride().parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : 2
} finally {
  await cleanUp()
}
