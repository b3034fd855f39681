import { test } from 'tap'
import { OverloadError, RedisError } from '../../../db/errors.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { closedByServer, openHalf } from '../../helpers/load/half-open.js'
import { eventually } from '../../helpers/processes/process.js'

const token = 'a token of the metrics for the tests'
const ownPort = { METRICS_PORT: '0' }
const onService = { METRICS_TOKEN: token }

const readOwn = async (server: TestServer, headers: Record<string, string> = {}, path = '/metrics') => {
  const response = await fetch(`http://127.0.0.1:${server.app.metrics?.port ?? 0}${path}`, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

/** The value of a sample whose name and labels are as written. */
const valueOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

test('without settings there are no metrics, neither on the service nor elsewhere', async (t) => {
  const server = await startServer(t)
  t.equal(server.app.metrics, undefined)
  expectProblem(t, await server.call('GET', '/metrics'), 'not_found')
})

test('the metrics are read on a port of their own, and the service has none', async (t) => {
  const server = await startServer(t, { environment: ownPort })
  await server.signIn()
  await server.call('POST', '/auth/login', { json: { username: 'admin', password: 'wrong horse battery' } })
  await server.call('GET', '/auth/userInfo')
  await server.call('GET', '/auth/sessions/not-there?secret=1')
  for (const path of ['/nowhere/1', '/nowhere/2', '/nowhere/3']) await server.call('GET', path)
  const { status, type, text } = await eventually('the sessions to be counted', async () => {
    const answer = await readOwn(server)
    return valueOf(answer.text, 'rollcall_live_sessions') === undefined ? undefined : answer
  })
  t.equal(status, 200)
  t.match(type, /^application\/openmetrics-text; version=1\.0\.0/)
  t.match(text, /# EOF\n$/)
  const count = (labels: string) => valueOf(text, `rollcall_http_request_duration_seconds_count{${labels}}`)
  t.equal(count('method="POST",route="/auth/login",status="2xx"'), 1)
  t.equal(count('method="POST",route="/auth/login",status="4xx"'), 1)
  t.equal(count('method="GET",route="/auth/userInfo",status="4xx"'), 1)
  t.equal(count('method="any",route="unknown",status="4xx"'), 4, 'unknown paths share one label')
  t.notMatch(text, /nowhere|not-there|secret/)
  t.equal(valueOf(text, 'rollcall_sign_ins_total{method="password",outcome="success"}'), 1)
  t.equal(valueOf(text, 'rollcall_sign_ins_total{method="password",outcome="invalid_credentials"}'), 1)
  t.equal(valueOf(text, 'rollcall_hash_wait_seconds_count'), 2)
  t.equal(valueOf(text, 'rollcall_hash_queue_length'), 0)
  t.equal(valueOf(text, 'rollcall_login_log_rows'), 2)
  t.ok((valueOf(text, 'rollcall_live_sessions') ?? -1) >= 0)
  t.equal(valueOf(text, 'rollcall_failures_total{kind="internal"}'), 0)
  t.ok((valueOf(text, 'nodejs_eventloop_lag_p99_seconds') ?? -1) >= 0)
  t.notMatch(text, /admin|127\.0\.0\.1/, 'no name and no address')
  expectProblem(t, await server.call('GET', '/metrics'), 'not_found')
  t.equal((await readOwn(server, {}, '/auth/userInfo')).status, 404, 'nothing else on that port')
})

test('bytes that are not HTTP are answered 400 on the port of the metrics, too, with a line of the log', async (t) => {
  const server = await startServer(t, { environment: ownPort })
  const { socket, received } = await openHalf(t, `http://127.0.0.1:${server.app.metrics?.port}`, 'hello\r\n\r\n')
  await closedByServer(socket)
  t.match(received(), /^HTTP\/1\.1 400 [^]*"reason":"invalid_request"/)
  t.match(server.log(), 'bytes that are not HTTP are refused')
})

test('with a token the service answers the metrics to who has it, and the port of its own asks for it, too', async (t) => {
  const server = await startServer(t, { environment: { ...ownPort, ...onService } })
  expectProblem(t, await server.call('GET', '/metrics'), 'token_missing')
  const { accessToken } = await server.signIn()
  for (const wrong of [accessToken, `${token}x`, token.slice(1), token.toUpperCase()]) {
    expectProblem(t, await server.call('GET', '/metrics', { token: wrong }), 'token_invalid')
    t.equal((await readOwn(server, { authorization: `Bearer ${wrong}` })).status, 401)
  }
  t.equal((await readOwn(server)).status, 401)
  const answer = await server.call('GET', '/metrics', { token })
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), /openmetrics-text/)
  t.match(answer.text, /^rollcall_sign_ins_total\{method="password",outcome="success"\} 1$/m)
  t.equal((await readOwn(server, { authorization: `Bearer ${token}` })).status, 200)
  t.notMatch(server.log(), token)
})

test('a short token is refused, and a port that is taken stops the start with one line', async (t) => {
  await t.rejects(startServer(t, { environment: { METRICS_TOKEN: 'too short' } }), {
    message: /metrics\.token|METRICS_TOKEN.*at least 32/,
  })
  const first = await startServer(t, { environment: ownPort })
  const METRICS_PORT = String(first.app.metrics?.port)
  await t.rejects(startServer(t, { environment: { METRICS_PORT } }), {
    message: /^The metrics cannot listen on 127\.0\.0\.1:\d+: .*Set another METRICS_PORT\.$/,
  })
})

test('answers with a status of 500 or more are counted by their cause', async (t) => {
  const server = await startServer(t, { environment: ownPort })
  const { accessToken } = await server.signIn()
  const { sessions } = server.app.db
  const fail = async (error: Error) => {
    sessions.find = () => {
      throw error
    }
    return (await server.call('GET', '/auth/userInfo', { token: accessToken })).status
  }
  t.equal(await fail(new Error('a defect')), 500)
  t.equal(await fail(new OverloadError('too many wait')), 503)
  t.equal(await fail(new Error('driver has already been destroyed')), 503)
  t.equal(await fail(new RedisError('it was stopped')), 503)
  const { text } = await readOwn(server)
  for (const kind of ['database', 'redis', 'overload', 'internal']) {
    t.equal(valueOf(text, `rollcall_failures_total{kind="${kind}"}`), 1, kind)
  }
})

test('all live sessions are counted, batch by batch, and no ended or expired one', async (t) => {
  const { createLiveSessions } = await import('../../../plugins/http/metrics/live-sessions.js')
  const server = await startServer(t)
  await server.addUser('ada')
  for (let count = 0; count < 3; count++) await server.signIn()
  const { accessToken } = await server.signIn('ada')
  await server.call('POST', '/auth/logout', { token: accessToken })
  const { sessions } = server.app.db
  const small = { countLive: (after: string, _limit: number, now: number) => sessions.countLive(after, 2, now) }
  const counted = async () => {
    const live = createLiveSessions(small, server.clock)
    const count = await eventually('a count', () => live.current())
    await live.close()
    return count
  }
  t.equal(await counted(), 3)
  server.clock.advance(30 * 24 * 3600)
  t.equal(await counted(), 0)
})
