import { assignCores } from '../cores.js'
import { json } from '../installed.js'
import { compareEach, measureEach, type Measurement } from '../load.js'
import type { Bench, Part } from '../part.js'

/** About as many as a second has. */
const signInsPerSecond = 1000
/** The codes of apps that are made beforehand are good for half a minute. */
const maxSeconds = 5
const rowsOfPage = 100
/** V8 optimizes code after many calls. */
const warmUps = 5
const rounds = 9

/** Ids of users of the default tenant, fewer if there are fewer. */
const findPeople = async ({ page }: Bench, count: number): Promise<number[]> => {
  const ids: number[] = []
  for (let pageNum = 1; ids.length < count; pageNum++) {
    const query = `tenantId=1&userStatus=1&userType=2&pageSize=${rowsOfPage}&pageNum=${pageNum}`
    const { records } = await page(query)
    ids.push(...records.map(({ id }) => id))
    if (records.length < rowsOfPage) break
  }
  return ids.slice(0, count)
}

export const secondStep: Part = {
  description: 'second steps of sign-ins by app and by passkey relative to sign-ins by the ticket of a provider',
  everySize: false,
  async run(bench) {
    const server = await bench.startServer({ BENCH_PROVIDER: '1' })
    assignCores([server.pid], true)
    await server.ask('addPeople', await findPeople(bench, signInsPerSecond * Math.min(bench.seconds, maxSeconds)))
    const load = { url: `${server.url}/auth/login`, method: 'POST', headers: json } as const
    const [social, totp, passkey] = (['social', 'totp', 'passkey'] as const).map(
      (kind) => async () => measureEach(load, await server.ask<string[]>(kind)),
    ) as [Measurement, Measurement, Measurement]
    for (let times = 0; times < warmUps; times++) for (const measure of [social, totp, passkey]) await measure()
    const [byApp, byPasskey] = await compareEach([totp, passkey], social, rounds)
    await server.stop()
    return [
      { name: 'second step by app', values: { ...byApp }, target: { value: 'ratio', atLeast: 0.8 } },
      { name: 'second step by passkey', values: { ...byPasskey }, target: { value: 'ratio', atLeast: 0.4 } },
    ]
  },
}
