import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { Command, Option } from 'commander'
import type { Figure, Part } from './part.js'
import { list } from './parts/list.js'
import { login } from './parts/login.js'
import { userInfo } from './parts/user-info.js'
import { startProcess } from './process.js'

const parts: Record<string, Part> = { userInfo, list, login }
const password = 'correct horse battery'

interface Options {
  users: string
  seconds: string
  json?: boolean
}

const run = async (names: string[], options: Options): Promise<Figure[]> => {
  const [server, bare] = await Promise.all([
    startProcess('./rollcall-server.js', {
      BENCH_USERS: options.users,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      ROLLCALL_ADMIN_PASSWORD: password,
    }),
    startProcess('./bare-server.js', {}),
  ])
  try {
    const signIn = JSON.stringify({ username: 'admin', password })
    // As an app: the many sign-ins of the part `login` must not replace this session.
    const answer = await fetch(`${server.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password, userClient: 'app' }),
    })
    const { data } = (await answer.json()) as { data: { accessToken: string } }
    const headers = { authorization: `Bearer ${data.accessToken}` }
    const figures: Figure[] = []
    for (const name of names) {
      process.stderr.write(`measuring ${name} ...\n`)
      const context = { url: server.url, bareUrl: bare.url, headers, signIn, seconds: Number(options.seconds) }
      figures.push(...((await parts[name]?.(context)) ?? []))
    }
    return figures
  } finally {
    await Promise.all([server.stop(), bare.stop()])
  }
}

const printTable = (figures: Figure[]): void => {
  const row = (...cells: string[]) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(12))).join('')
  const lines = figures.map(({ name, perSecond, limitPerSecond, ratio, target }) =>
    row(
      name,
      perSecond.toFixed(0),
      limitPerSecond.toFixed(0),
      ratio.toFixed(2),
      target.toFixed(2),
      ratio >= target ? 'met' : 'not met',
    ),
  )
  process.stdout.write(`${[row('', 'per second', 'limit', 'ratio', 'target', ''), ...lines].join('\n')}\n`)
}

const program = new Command('bench')
  .description('Measures what Rollcall costs beside a bare Fastify route of the same schema.')
  .argument('[parts...]', `parts to run; absent means all: ${Object.keys(parts).join(', ')}`)
  .option('--users <count>', 'users in the database', '1000')
  .option('--seconds <count>', 'length of one measurement', '5')
  .addOption(new Option('--json', 'print the figures as JSON instead of a table'))
  .action(async (names: string[], options: Options) => {
    const unknown = names.filter((name) => !(name in parts))
    if (unknown.length > 0) program.error(`error: unknown part ${unknown.join(', ')}`, { exitCode: 2 })
    const figures = await run(names.length > 0 ? names : Object.keys(parts), options)
    const report = {
      time: new Date().toISOString(),
      node: process.version,
      processor: cpus()[0]?.model,
      cores: availableParallelism(),
      users: Number(options.users),
      figures,
    }
    const directory = 'bench/results'
    mkdirSync(directory, { recursive: true })
    writeFileSync(`${directory}/${report.time.replaceAll(':', '-')}.json`, `${JSON.stringify(report, null, 2)}\n`)
    if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`)
    else printTable(figures)
  })

await program.parseAsync()
