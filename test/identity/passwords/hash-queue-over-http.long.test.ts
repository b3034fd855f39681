import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { test, type Test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { startServer, userPassword, type Answer, type TestServer } from '../../helpers/service/server.js'

const strangers = { connections: 300, addresses: 100 }
const people = 14
/** Whoever has waited longer has gone. Milliseconds. */
const patience = 5000
/** Until the flood has filled whatever it can. Milliseconds. */
const onset = 3000
/** Between two people. Milliseconds. */
const interval = 300

/** Signs in from an address of one's own, and solves a captcha when one is asked for. */
const signIn = async (server: TestServer, username: string, headers: Record<string, string>) => {
  const login = (more: object) =>
    server.call('POST', '/auth/login', { headers, json: { username, password: userPassword, ...more } })
  const answer = await login({})
  if (answer.body.data?.reason !== 'captcha_required') return answer
  return login(await solvedCaptcha(server))
}

const deviceCookie = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? ''

for (const mode of ['afterFailures', 'never']) {
  test(`captcha.mode ${mode}: a flood of sign-ins from 100 addresses keeps nobody out`, async (t: Test) => {
    const server = await startServer(t, {
      hasRealHashes: true,
      environment: { ...echo, TRUST_PROXY: '127.0.0.1' },
      settings: { captcha: { mode } },
    })
    const names = Array.from({ length: people }, (_, index) => `person${index}`)
    for (const name of names) await server.addUser(name)
    const cookies: string[] = []
    for (const username of names) {
      cookies.push(
        deviceCookie(await server.call('POST', '/auth/login', { json: { username, password: userPassword } })),
      )
    }
    const flood = new Worker(new URL('../../helpers/load/sign-in-flood.js', import.meta.url), {
      workerData: { origin: server.origin, ...strangers },
    })
    await setTimeout(onset)
    const measure = async (index: number, headers: Record<string, string>) => {
      const begin = performance.now()
      const { status } = await signIn(server, names[index] ?? '', headers)
      return { status, time: performance.now() - begin }
    }
    for (const [who, least] of [
      ['known devices', people],
      ['others', 12],
    ] as const) {
      const outcomes = await Promise.all(
        names.map(async (_, index) => {
          await setTimeout(index * interval)
          const address = `198.51.100.${index}`
          return measure(index, {
            'x-forwarded-for': address,
            ...(who === 'known devices' ? { cookie: cookies[index] ?? '' } : {}),
          })
        }),
      )
      const served = outcomes.filter(({ status, time }) => status === 200 && time < patience)
      const times = outcomes.map(({ status, time }) => `${status} ${Math.round(time)} ms`).join(', ')
      t.comment(`${who}: ${served.length} of ${people} within ${patience} ms: ${times}`)
      t.ok(served.length >= least, `${served.length} of ${people} on ${who}: ${times}`)
    }
    flood.postMessage('stop')
    const [outcomes] = (await once(flood, 'message')) as [Record<string, number>]
    t.comment(`the flood: ${JSON.stringify(outcomes)}`)
  })
}
