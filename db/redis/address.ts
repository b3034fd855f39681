import type { RedisOptions } from 'ioredis'

/** Where Redis is, from its URL. */
export interface RedisAddress {
  kind: 'server' | 'sentinel' | 'cluster'
  hosts: { host: string; port: number }[]
  /** What Sentinel calls the server. */
  name: string | undefined
  /** User, password, number of the database and TLS. */
  options: Pick<RedisOptions, 'username' | 'password' | 'db' | 'tls'>
  /** For messages: without user and password. */
  shown: string
}

const form =
  /^(?<scheme>rediss?(?:\+(?<kind>sentinel|cluster))?):\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^@?#]*))?$/
const ports = { server: 6379, sentinel: 26379, cluster: 6379 }

/** What is read here may be a part of a password, so that no message shows it. */
const readHost = (text: string, port: number) => {
  const fault = new Error('a host is not of the form HOST:PORT')
  if (!URL.canParse(`redis://${text}`)) throw fault
  const url = new URL(`redis://${text}`)
  if (url.hostname === '' || url.host !== text.toLowerCase()) throw fault
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? port : Number(url.port) }
}

const advice = 'a character of its password is not encoded: write / as %2F, ? as %3F, # as %23, @ as %40 and % as %25'

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(advice)
  }
}

const readDatabase = (path: string): number => {
  if (!/^\d{0,3}$/.test(path)) throw new Error('after the host stands the number of the database, and nothing else')
  return Number(path)
}

/**
 * Reads `redis://USER:PASSWORD@HOST:PORT/NUMBER`, `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/NAME` or
 * `redis+cluster://USER:PASSWORD@HOST:PORT,HOST:PORT`, each also with `rediss` for TLS. Throws when it is no such URL.
 */
export const readRedisAddress = (text: string): RedisAddress => {
  const parts = form.exec(text)?.groups
  if (!parts) throw new Error(`it is not of the form redis://USER:PASSWORD@HOST:PORT, or ${advice}`)
  const { scheme = '', kind = 'server', user = '', path = '' } = parts as { kind?: RedisAddress['kind'] } & typeof parts
  const hosts = (parts['hosts'] ?? '').split(',').map((host) => readHost(host, ports[kind]))
  if (kind === 'server' && hosts.length > 1) throw new Error('several hosts need redis+sentinel:// or redis+cluster://')
  if (kind === 'sentinel' && path === '') throw new Error('the name that Sentinel gives the server is missing: /NAME')
  if (kind === 'cluster' && path !== '') throw new Error('a Cluster has no databases with numbers')
  const [username = '', ...password] = user.split(':').map(decode)
  return {
    kind,
    hosts,
    name: kind === 'sentinel' ? path : undefined,
    options: {
      ...(username === '' ? {} : { username }),
      ...(password.length === 0 ? {} : { password: password.join(':') }),
      ...(kind === 'server' ? { db: readDatabase(path) } : {}),
      ...(scheme.startsWith('rediss') ? { tls: {} } : {}),
    },
    shown: `${scheme}://${parts['hosts'] ?? ''}${path === '' ? '' : `/${path}`}`,
  }
}
