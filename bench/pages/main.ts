import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { assignCores } from '../cores.js'
import { removeDatabases } from '../database.js'
import { install } from '../installed.js'
import { isMet, type Figure } from '../part.js'
import { endAll } from '../process.js'
import { createReport, formatReport, type Section } from '../report.js'
import { launch } from './browser.js'
import { listChanges } from './changes.js'
import { firstLoads } from './first-load.js'
import { allBudgets, budgets, measureSizes } from './sizes.js'

// How large the pages are, and how soon a browser shows them. Needs Chromium.

const say = (text: string) => process.stderr.write(`${text}\n`)

const sizeFigures = (): Figure[] => {
  const {
    firstLoads: loads,
    gzipped,
    disk,
    docs,
  } = measureSizes(join(fileURLToPath(import.meta.url), '../../../pages'))
  const figure = (name: string, size: number, atMost: number): Figure => ({
    name,
    values: { kB: size },
    target: { value: 'kB', atMost },
  })
  return [
    ...loads.map(({ page, language, size }) =>
      figure(`first load, ${page}, ${language}, gzipped`, size, budgets[page] ?? 0),
    ),
    figure('all scripts and styles, gzipped', gzipped, allBudgets.gzipped),
    figure('on the disk', disk, allBudgets.disk),
    figure('/docs with Swagger UI, gzipped', docs, allBudgets.docs),
  ]
}

const run = async ({ users, rounds }: Options): Promise<Section[]> => {
  const installed = await install(undefined)
  say(`filling the database up to ${users.toLocaleString('en')} users`)
  await installed.grow(users)
  const server = await installed.startServer({ BENCH_PAGES: '1' })
  // The browser is started by this process, and runs on its core.
  if (!assignCores([server.pid], true)) say('taskset failed: the server and the browser share their cores')
  const origin = server.url.replace('127.0.0.1', 'localhost')
  const browser = await launch()
  try {
    say('measuring first loads')
    const loads = await firstLoads(browser, origin, rounds)
    say('measuring changes of the list')
    const changes = await listChanges(browser, origin, rounds)
    return [
      { part: 'sizes', users: 0, figures: sizeFigures() },
      { part: 'first loads, milliseconds', users, figures: loads },
      { part: 'changes of the list', users, figures: changes },
    ]
  } finally {
    await browser.close()
    await server.stop()
    await installed.stop()
  }
}

interface Options {
  sizes?: boolean
  users: number
  rounds: number
}

const readUsers = (text: string): number => {
  // Enough for the pages that are turned.
  if (!/^\d{5,8}$/.test(text)) throw new InvalidArgumentError('It must be a number from 10000.')
  return Number(text)
}

const program = new Command('bench:pages')
  .description('Measures the pages for people in Chromium. Exit code 1 when a target is not met.')
  .option('--sizes', 'only the sizes, without a browser')
  .option('--users <count>', 'users in the database', readUsers, 1_000_000)
  .option('--rounds <count>', 'repetitions, of which the median counts', Number, 20)
  .action(async (options: Options) => {
    const sections = options.sizes ? [{ part: 'sizes', users: 0, figures: sizeFigures() }] : await run(options)
    process.stdout.write(`${formatReport(createReport(sections, { seconds: 0 }))}\n`)
    if (sections.some(({ figures }) => figures.some((figure) => isMet(figure) === false))) process.exitCode = 1
  })

try {
  await program.parseAsync()
} finally {
  await endAll()
  await removeDatabases()
}
