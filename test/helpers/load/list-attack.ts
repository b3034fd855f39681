import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { sortColumns } from '../../../schemas/user.js'
import type { Random } from '../values/random.js'
import type { TestServer } from '../service/server.js'

const columnsAtOnce = 3

const randomSort = (random: Random): string => {
  const columns = new Set<string>()
  while (columns.size < columnsAtOnce) columns.add(random.pick(sortColumns))
  const directions = [...columns].map(() => random.pick(['asc', 'desc']))
  return `orderByColumn=${[...columns].join()}&isAsc=${directions.join()}`
}

/**
 * Asks for `count` lists in random orders, each on a connection of its own, which is hung up after 3 ms or, with `waits`,
 * stays until the answer is there.
 */
export const attackList = async (
  { origin }: TestServer,
  token: string,
  random: Random,
  { count, waits }: { count: number; waits: boolean },
): Promise<void> => {
  const { hostname, port } = new URL(origin)
  const ask = async (): Promise<void> => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const head = `Host: ${hostname}\r\nAuthorization: Bearer ${token}\r\nConnection: close`
    socket.write(`GET /system/user/page?${randomSort(random)} HTTP/1.1\r\n${head}\r\n\r\n`)
    await (waits ? once(socket.resume(), 'close') : setTimeout(3))
    socket.destroy()
  }
  await Promise.all(Array.from({ length: count }, ask))
}
