import { test } from 'tap'
import { expectProblem } from '../helpers/service/expect.js'
import { startServer } from '../helpers/service/server.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test('a browser that opens the address of the service gets a page without scripts that says where to go', async (t) => {
  const server = await startServer(t, { settings: { pages: { signIn: false, account: false } } })
  const answer = await server.call('GET', '/', { headers: { accept: browser } })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  t.equal(answer.headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'")
  t.equal(answer.headers.get('vary'), 'Accept')
  t.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin')
  t.notMatch(answer.text, /<script|<style|style=|https?:/)
  const links = [...answer.text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link)
  t.same(links, ['./docs/', './openapi.json', './health/ready'])
  for (const link of links) t.ok((await server.call('GET', link.slice(1))).status < 400, link)
})

test('a browser goes on to the account page where there is one', async (t) => {
  const server = await startServer(t)
  const answer = await server.call('GET', '/?x=1', { headers: { accept: browser } })
  t.equal(answer.status, 303)
  t.equal(answer.headers.get('location'), './account')
  t.equal(answer.headers.get('vary'), 'Accept')
  t.equal(answer.text, '')
})

test('who names nothing is led like a person; who asks for JSON by name gets the envelope', async (t) => {
  const server = await startServer(t)
  // curl, monitors, link previews and what is cut off or invented.
  for (const accept of ['*/*', 'text/html;q=0.1, */*', 'text/*', 'image/*, */*;q=0.8', 'constructor', 'nonsense', '']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await server.call(method, '/', { headers: { accept } })
      t.equal(status, 303, `${method} ${accept}`)
      t.equal(headers.get('location'), './account')
    }
  }
  for (const accept of [
    'application/json',
    'application/json, text/plain, */*',
    'application/json, text/html',
    'text/html;q=0.5, application/json',
    'toString, application/json',
    'text/html, '.repeat(100),
  ])
    expectProblem(t, await server.call('GET', '/', { headers: { accept } }), 'not_found')
  expectProblem(t, await server.call('POST', '/', { headers: { accept: browser }, json: {} }), 'method_not_allowed')
})
