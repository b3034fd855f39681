import { rmSync } from 'node:fs'
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import rollcall, { openInstallation, serverOptions } from '../app.js'
import { cutOffOpener } from '../lib/opener-policy.js'
import { answerQuestions } from './questions.js'
import { addProvider, createSignInMaker } from './second-steps.js'
import { addSingleSignOn, freePort } from './single-sign-on.js'

/** For how long the event loop was held without a pause, milliseconds. */
export interface Holds {
  max: number
  /** 99th percentile. */
  p99: number
}

/** Interval at which the event loop is observed, and the error of a measured hold. Milliseconds. */
const resolution = 1
const nanoseconds = 1e6
/** The monitor needs two observations before a hold and one after it. Milliseconds. */
const looks = 5 * resolution

/**
 * Rollcall in the data directory `DATA_DIR`, which is deleted if the parent process ends. With `BENCH_PROVIDER` it has a provider, with
 * `BENCH_SINGLE_SIGN_ON` it is one itself, with
 * `BENCH_PAGES` the pages for people, and an empty one beside them.
 */
const installation = openInstallation(process.env, { create: true })
if (process.env['BENCH_PROVIDER']) addProvider(installation.settings)
const singleSignOnPort = process.env['BENCH_SINGLE_SIGN_ON'] === undefined ? 0 : await freePort()
if (singleSignOnPort > 0) addSingleSignOn(installation.settings, `http://127.0.0.1:${singleSignOnPort}`)
const app = Fastify(serverOptions(installation.settings))
const hasPages = process.env['BENCH_PAGES'] !== undefined
await app.register(fp(rollcall), { installation, pages: hasPages })
if (hasPages)
  app.get('/empty', { config: { access: 'open', envelope: false } }, async (_request, reply) => {
    // With this header a browser opens a page in a process of its own, which is no work of the page.
    cutOffOpener(reply)
    void reply.type('text/html')
    return '<!doctype html><html lang="en"><title>Empty</title><p>Empty'
  })
const url = await app.listen({ host: '127.0.0.1', port: singleSignOnPort })

const delays = monitorEventLoopDelay({ resolution })
let fullCollections = 0
const collections = new PerformanceObserver((list) => {
  // The types leave out what entries of garbage collection have.
  for (const { detail } of list.getEntries() as unknown as { detail: { kind: number } }[])
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) fullCollections++
})
const answers = {
  async watch() {
    delays.reset()
    delays.enable()
    await setTimeout(looks)
  },
  async holds(): Promise<Holds> {
    await setTimeout(looks)
    delays.disable()
    const milliseconds = (value: number) => Math.max(0, value / nanoseconds - resolution)
    return { max: milliseconds(delays.max), p99: milliseconds(delays.percentile(99)) }
  },
  ...createSignInMaker(app, url),
  memory: () => process.memoryUsage.rss(),
  /** Counts full collections of garbage from now on. */
  watchCollections() {
    fullCollections = 0
    collections.observe({ entryTypes: ['gc'] })
  },
  fullCollections: () => fullCollections,
}
answerQuestions(answers, url, () => rmSync(installation.directory, { recursive: true, force: true }))
process.on('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
