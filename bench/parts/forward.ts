import { guests } from '../../guests/index.js'
import type { LoginResult } from '../../schemas/login.js'
import { assignCores } from '../cores.js'
import { ask, json, password } from '../installed.js'
import { compare, measure } from '../load.js'
import type { Bench, Part } from '../part.js'
import type { Child } from '../process.js'
import { signInOnPage } from '../single-sign-on.js'

const host = 'wiki.example.com'
/** What a proxy says of a request. */
const said = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }

/** The cookie of a protected host, in which somebody has signed in. */
const enter = async ({ names }: Bench, { url }: Child): Promise<string> => {
  const body = (more: object) => ({ method: 'POST', headers: json, body: JSON.stringify(more) })
  const { accessToken } = await ask<LoginResult>(`${url}/auth/login`, body({ username: 'admin', password }))
  await ask(`${url}/system/client`, {
    ...body({ id: 'wiki', name: 'Wiki', type: 'forward', hosts: [host] }),
    headers: { ...json, authorization: `Bearer ${accessToken}` },
  })
  const person = await signInOnPage(url, names()[0] ?? '', password)
  const follow = (address: string, headers: Record<string, string>) => fetch(address, { redirect: 'manual', headers })
  const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const begun = await follow(`${url}/.rollcall/sign-in`, said)
  const asked = await follow(begun.headers.get('location') ?? '', { cookie: person })
  const { pathname, search } = new URL(asked.headers.get('location') ?? '')
  const back = await follow(url + pathname + search, { ...said, cookie: cookieOf(begun) })
  return cookieOf(back)
}

export const forward: Part = {
  description: 'what a proxy asks of each request for a protected application, with a live session',
  everySize: false,
  async run(bench) {
    // A guest, which may be away.
    if (!guests.some(({ name }) => name === 'provider')) return []
    const { seconds, bareUrl, pids, startServer } = bench
    const server = await startServer({ BENCH_SINGLE_SIGN_ON: '1', TRUST_PROXY: '127.0.0.1' })
    assignCores([server.pid, ...pids], true)
    const headers = {
      ...{ ...said, 'x-forwarded-uri': '/pictures/1.png', 'x-forwarded-method': 'GET', accept: 'image/*' },
      ...{ cookie: await enter(bench, server), 'user-agent': 'Mozilla/5.0', 'accept-language': 'en' },
    }
    const subject = () => measure({ url: `${server.url}/auth/forward`, headers }, 2 * seconds)
    const limit = () => measure({ url: `${bareUrl}/nothing`, headers }, 2 * seconds)
    for (let times = 0; times < 3; times++) await subject()
    await limit()
    const values = await compare(subject, limit)
    await server.stop()
    return [{ name: 'forward', values: { ...values }, target: { value: 'ratio', atLeast: 0.4 } }]
  },
}
