import { setTimeout } from 'node:timers/promises'
import { guests } from '../../guests/index.js'
import type { LoginResult } from '../../schemas/login.js'
import { assignCores } from '../cores.js'
import { ask, json, password } from '../installed.js'
import { compare, measure, measureEach } from '../load.js'
import { median, type Bench, type Figure, type Part } from '../part.js'
import { startProcess, type Child } from '../process.js'
import {
  application,
  authorizationUrl,
  exchange,
  follow,
  headersOf,
  makeExchanges,
  signInOnPage,
  type AskedProvider,
  type Tokens,
} from '../single-sign-on.js'

/** Exchanged in one measurement: the memory adapter of the library keeps a thousand entries. */
const codes = 200
const starts = 10
/** Until what a start leaves to do is done. Milliseconds. */
const settled = 5000
const mebibyte = 2 ** 20

/** Somebody is signed in at Rollcall, and an application is there. */
const prepare = async ({ names }: Bench, { url }: Child): Promise<AskedProvider> => {
  // Tokens of another issuer are not taken here.
  const { accessToken } = await ask<LoginResult>(`${url}/auth/login`, {
    ...{ method: 'POST', headers: json },
    body: JSON.stringify({ username: 'admin', password, userClient: 'pc' }),
  })
  const send = { method: 'POST', headers: { ...json, authorization: `Bearer ${accessToken}` } }
  const { id, redirectUri } = application
  const { secret = '' } = await ask<{ secret?: string }>(`${url}/system/client`, {
    ...send,
    body: JSON.stringify({ id, name: id, redirectUris: [redirectUri], consent: 'never', refreshTokens: 'session' }),
  })
  return { issuer: url, secret, cookie: await signInOnPage(url, names()[0] ?? '', password) }
}

/** The same at the library alone: a first request signs the person in. */
const prepareBare = async ({ url: issuer }: Child): Promise<AskedProvider> => {
  const jar = new Map<string, string>()
  const provider = { issuer, secret: application.secret, cookie: '' }
  await follow(authorizationUrl(provider), jar)
  return { ...provider, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
}

/** Resident memory after a start, MiB. */
const idle = async ({ startServer }: Bench, more: Record<string, string>): Promise<number> => {
  const server = await startServer(more)
  await setTimeout(settled)
  const bytes = await server.ask<number>('memory')
  await server.stop()
  return bytes / mebibyte
}

export const singleSignOn: Part = {
  description: 'requests of applications relative to the library alone with its memory adapter, and idle memory',
  everySize: false,
  async run(bench) {
    // A guest, which may be away.
    if (!guests.some(({ name }) => name === 'provider')) return []
    const [server, bare] = [
      await bench.startServer({ BENCH_SINGLE_SIGN_ON: '1' }),
      await startProcess('./bare-provider.js'),
    ] as const
    assignCores([server.pid, bare.pid, ...bench.pids], true)
    const both = [await prepare(bench, server), await prepareBare(bare)] as const
    let tokens: readonly [Tokens, Tokens]
    const { seconds } = bench

    const exchanges = (provider: AskedProvider) => async () =>
      measureEach(
        { url: `${provider.issuer}/oidc/token`, method: 'POST', headers: headersOf(provider) },
        await makeExchanges(provider, codes),
      )
    const refreshes = (index: 0 | 1) => () => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens[index].refresh_token })
      const provider = both[index]
      const load = { url: `${provider.issuer}/oidc/token`, method: 'POST' as const, headers: headersOf(provider) }
      return measure({ ...load, bodies: () => [body.toString()] }, 2 * seconds)
    }
    const claims = (index: 0 | 1) => () => {
      const headers = { authorization: `Bearer ${tokens[index].access_token}` }
      return measure({ url: `${both[index].issuer}/oidc/userinfo`, headers }, 2 * seconds)
    }
    const authorizations = (provider: AskedProvider) => () =>
      measure({ url: authorizationUrl(provider), headers: { cookie: provider.cookie }, status: 303 }, 2 * seconds)

    const figures: [name: string, subject: () => Promise<number>, limit: () => Promise<number>, atLeast: number][] = [
      ['code', exchanges(both[0]), exchanges(both[1]), 0.4],
      ['refresh', refreshes(0), refreshes(1), 0.4],
      ['userinfo', claims(0), claims(1), 0.3],
      ['authorization', authorizations(both[0]), authorizations(both[1]), 0.3],
    ]
    const compared: Figure[] = []
    for (const [name, subject, limit, atLeast] of figures) {
      // Of all tokens each keeps the latest only.
      tokens = [await exchange(both[0]), await exchange(both[1])]
      for (let times = 0; times < 3; times++) await subject()
      await limit()
      compared.push({ name, values: { ...(await compare(subject, limit)) }, target: { value: 'ratio', atLeast } })
    }
    await server.stop()
    await bare.stop()

    const memory: [off: number[], on: number[]] = [[], []]
    for (let count = 0; count < starts; count++) {
      memory[0].push(await idle(bench, {}))
      memory[1].push(await idle(bench, { BENCH_SINGLE_SIGN_ON: '1' }))
    }
    const [off, on] = [median(memory[0]), median(memory[1])]
    return [
      ...compared,
      { name: 'idle memory', values: { off, on, MiB: on - off }, target: { value: 'MiB', atMost: 25 } },
    ]
  },
}
