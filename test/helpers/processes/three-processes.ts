import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import type { Test } from 'tap'
import rollcall, { type RollcallOptions } from '../../../app.js'
import { emptyDirectory } from './child.js'
import { parallel } from '../values/compare.js'
import { createOperator } from '../service/operator.js'
import { adminPassword, userPassword } from '../service/passwords.js'
import { openData, prepareData, type Plain } from '../service/prepared-data.js'
import { startProcess, type ServerProcess } from './process.js'
import { merge, type Answer } from '../service/server.js'

/** Three servers, each a process of its own, and the process of the test as a fourth, on one database. */
export const startThree = async (t: Test, settings: Plain = {}) => {
  const directory = emptyDirectory(t)
  await prepareData(t, directory, {})
  const file = join(directory, 'config.json')
  writeFileSync(file, JSON.stringify(merge(JSON.parse(readFileSync(file, 'utf8')) as Plain, settings)))
  const environment = { ROLLCALL_DEV_ECHO: '1' }
  const processes = await parallel(3, () => startProcess(t, { directory, environment }))
  const app = Fastify({ pluginTimeout: 0 })
  t.teardown(() => app.close())
  const installation = openData({ DATA_DIR: directory }, {})
  // A function of its own, which does not keep its decorators to itself.
  await app.register(
    fp<RollcallOptions>((inner, more) => rollcall(inner, more)),
    { installation, answering: false },
  )
  await app.ready()

  /** One of the three; any number is a number of a process. */
  const at = (index: number): ServerProcess => {
    const found = processes[index % processes.length]
    if (!found) throw new Error(`there is no process ${index}`)
    return found
  }
  /** The access token of a sign-in at one of them. */
  const signIn = async (index: number, username: string, more: Plain = {}): Promise<string> => {
    const password = username === 'admin' ? adminPassword : userPassword
    const answer = await at(index).signIn(username, password, more)
    if (answer.status !== 200) throw new Error(`sign-in of ${username} was refused: ${answer.text}`)
    return answer.body.data.accessToken as string
  }
  return {
    operator: createOperator(app),
    db: app.db,
    keys: app.tokens.rotation,
    directory,
    processes,
    at,
    signIn,
    /** So many requests at the same moment, spread over the three. */
    spread: (count: number, send: (server: ServerProcess, index: number) => Promise<Answer>) =>
      parallel(count, (index) => send(at(index), index)),
    /** The same request at each of them. */
    everywhere: (send: (server: ServerProcess) => Promise<Answer>) => Promise.all(processes.map(send)),
  }
}

export type Three = Awaited<ReturnType<typeof startThree>>
