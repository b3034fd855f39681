import { randomInt } from 'node:crypto'
import type { Test } from 'tap'
import { documentCheck, documentOf } from '../helpers/documents/document.js'
import { createRandom } from '../helpers/values/random.js'
import { residentMemory } from '../helpers/processes/resident-memory.js'
import { adminPassword, startServer, userPassword } from '../helpers/service/server.js'
import { createValues, type Schema } from './hostile-values.js'

interface Parameter {
  name: string
  in: string
  schema: Schema
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, object> } | { $ref: string }>
}

/** Memory that the service may take beyond that after a tenth of the requests. Bytes. */
const maxGrowth = 150 * 2 ** 20
/** They end or block the callers too often to be asked as often as the others. */
const rare = /logout|changePassword|deleteTenant|system\/session|password|status|edit|removeBatch|batch/i

/**
 * Sends `count` random requests, made from the document, to every operation of a server, as four kinds of caller. Asserts
 * that nothing but 503 is a 5xx, that every answer is documented and in the envelope, and that the memory stays level.
 * ROLLCALL_TEST_SEED repeats a run.
 */
export const fuzz = async (t: Test, count: number): Promise<void> => {
  const seed = Number(process.env['ROLLCALL_TEST_SEED'] ?? randomInt(2 ** 31))
  t.comment(`seed ${seed}`)
  const random = createRandom(seed)
  const server = await startServer(t, {
    settings: {
      captcha: { mode: 'never' },
      lockout: { nameFailures: 100 },
      registration: { mode: 'open', tenants: [1, 2] },
      sms: { sender: 'log' },
      mail: { url: 'smtp://127.0.0.1:9' },
      clients: { pc: { maxSessions: 100 } },
    },
  })
  const document = documentOf(server) as { paths: Record<string, Record<string, Operation>> }
  const check = documentCheck(document)
  const values = createValues(document, random)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

  const { id: other } = await server.operator.addTenant('Other')
  await server.addUser('plain')
  await server.addUser('manager', { tenantId: other, userType: 1 })
  await server.operator.addRole('all', 'All', ['*:*:*'], other)
  await server.operator.assign('all', 'manager', other)
  await server.addUser('second', { userType: 0 })
  await server.operator.assign('admin', 'second')
  const callers = [
    undefined,
    { username: 'plain' },
    { username: 'manager', tenantId: other },
    { username: 'second' },
  ] as const
  const tokens = new Map<string, string>()
  const refusedSignIns = new Map<string, number>()
  const tokenOf = async (caller: (typeof callers)[number]): Promise<string | undefined> => {
    if (!caller) return undefined
    const known = tokens.get(caller.username)
    if (known !== undefined) return known
    const login = { password: userPassword, ...caller }
    let answer = await server.call('POST', '/auth/login', { json: login })
    // The caller may have been changed by another: then the operator makes it as it was.
    if (answer.status !== 200) {
      refusedSignIns.set(answer.body.data.reason, (refusedSignIns.get(answer.body.data.reason) ?? 0) + 1)
      await repair()
      answer = await server.call('POST', '/auth/login', { json: login })
    }
    if (answer.status !== 200) return undefined
    tokens.set(caller.username, answer.body.data.accessToken)
    return answer.body.data.accessToken as string
  }
  const repair = async () => {
    const db = server.app.db
    for (const [tenantId, username] of [
      [1, 'plain'],
      [other, 'manager'],
      [1, 'second'],
    ] as const) {
      const userType = { plain: 2, manager: 1, second: 0 }[username]
      const found = await db.users.findByUsername(tenantId, username)
      const user = found ?? (await server.addUser(username, { tenantId, userType }))
      await server.app.management.bans.unban({ source: 'cli' } as never, user.id).catch(() => undefined)
      await server.operator.unlock(username, tenantId)
      const hash = await server.app.passwords.hash(userPassword)
      await db.users.setPassword(user.id, hash, false, server.clock.now())
      await db.users.change(user.id, { userStatus: 1 }, server.clock.now())
    }
    for (const id of [1, other]) await server.operator.setTenantEnabled(id, true)
    tokens.clear()
  }

  const encode = (value: unknown) =>
    encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed())

  const build = (path: string, { parameters = [], requestBody }: Operation) => {
    let address = path
    const query: string[] = []
    for (const { name, in: place, schema } of parameters) {
      const value = random.chance(0.1) ? values.hostile() : values.of(schema, 1)
      if (place === 'path') address = address.replace(`{${name}}`, encode(value).slice(0, 300) || 'x')
      if (place === 'query' && random.chance(0.6)) query.push(`${name}=${encode(value).slice(0, 3000)}`)
    }
    if (random.chance(0.05)) query.push(`${encode(values.text()).slice(0, 500)}=${encode(values.text()).slice(0, 500)}`)
    const headers: Record<string, string> = {}
    if (random.chance(0.1))
      headers['accept-language'] = random.pick(['zh-CN', 'zh_CN', 'en;q=0.1,*', ',,;;=', 'x'.repeat(500)])
    if (random.chance(0.1)) headers['if-match'] = random.pick(['"1"', '*', 'W/"x"', '""'])
    const schema = requestBody && Object.values(requestBody.content)[0]?.schema
    let body: string | undefined
    if (schema) {
      const value = random.chance(0.03) ? values.hostile() : values.of(schema)
      headers['content-type'] = 'application/json'
      body = random.chance(0.02) ? '{"a":' : JSON.stringify(value)
      if (random.chance(0.15) && typeof value === 'object' && value !== null) {
        headers['content-type'] = 'application/x-www-form-urlencoded'
        body = Object.entries(value)
          .map(([name, field]) => `${encode(name)}=${encode(field)}`)
          .join('&')
      }
      if (random.chance(0.03))
        headers['content-type'] = random.pick(['text/plain', 'application/xml', 'x', 'multipart/form-data'])
    }
    return { address: query.length > 0 ? `${address}?${query.join('&')}` : address, headers, body }
  }

  const findings = new Set<string>()
  const statuses = new Map<number, number>()
  let level = 0
  for (let index = 0; index < count; index++) {
    const { path, method, operation } = random.pick(operations)
    if (rare.test(`${operation.operationId} ${path}`) && random.chance(0.8)) continue
    if (index % 100 === 0) await repair()
    const token = await tokenOf(random.pick(callers))
    const { address, headers, body } = build(path, operation)
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    const response = await fetch(`${server.origin}${address}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined || method === 'GET' ? {} : { body }),
    })
    const text = await response.text()
    const { status } = response
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 401 || status === 403) tokens.clear()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    // Another address may have come out of the path parameters.
    const isSame = !/[?#]|%2F|^$/i.test(address.slice(0, address.indexOf('?') >>> 0)) && status !== 404
    const fault =
      status >= 500 && status !== 503
        ? `${status}`
        : isJson && isSame
          ? check(method, path, status, JSON.parse(text))
          : undefined
    if (fault !== undefined) {
      const finding = `${operation.operationId}: ${fault}`
      if (!findings.has(finding))
        t.fail(finding, {
          request: `${method} ${address}`.slice(0, 500),
          body: body?.slice(0, 500),
          text: text.slice(0, 300),
        })
      findings.add(finding)
    }
    if (index === Math.floor(count / 10)) level = residentMemory(process.pid)
  }
  const growth = residentMemory(process.pid) - level
  const told = [...statuses].sort().map(([status, times]) => `${status}: ${times}`)
  t.ok(growth < maxGrowth, `${Math.round(growth / 2 ** 20)} MiB more than after a tenth of the requests`)
  t.comment(`refused sign-ins of the callers: ${JSON.stringify([...refusedSignIns])}`)
  t.same([...findings], [], `seed ${seed}; ${told.join(', ')}`)
  t.notMatch(server.log(), adminPassword, 'no password in the log')
}
