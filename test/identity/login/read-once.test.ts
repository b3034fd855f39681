import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

/** Notes the keys of the store that are read, and counts what is decrypted. */
const watch = ({ app }: TestServer) => {
  const { store, encryption } = app
  const get = store.get.bind(store)
  const getMany = store.getMany.bind(store)
  const tryDecrypt = encryption.tryDecrypt.bind(encryption)
  let keys: string[] = []
  let decryptions = 0
  store.get = (key) => {
    keys.push(key)
    return get(key)
  }
  store.getMany = (many) => {
    keys.push(...many)
    return getMany(many)
  }
  encryption.tryDecrypt = (...parameters) => {
    decryptions++
    return tryDecrypt(...parameters)
  }
  return {
    take: (prefix: string) => {
      const seen = { keys: keys.filter((key) => key.startsWith(prefix)), decryptions }
      keys = []
      decryptions = 0
      return seen
    },
  }
}

const start = async (t: Parameters<typeof startServer>[0]) => {
  const server = await startServer(t, {
    environment: { ROLLCALL_DEV_ECHO: '1' },
    settings: {
      captcha: { type: 'pow' },
      sms: { sender: 'log' },
      mail: { url: 'smtp://localhost:1', from: 'a@example.com' },
    },
  })
  await server.addUser('alice', { phone: '13800138000', email: 'alice@example.com' })
  return { server, watched: watch(server) }
}

test('a sign-in decrypts the device cookie once, and reads the history of a name once', async (t) => {
  const { server, watched } = await start(t)
  const json = { username: 'alice', password: userPassword }
  const first = await server.call('POST', '/auth/login', { json })
  expectSuccess(t, first)
  const fromFirst = watched.take('attempts:known:')
  t.equal(fromFirst.decryptions, 0, 'there is no cookie yet')
  t.equal(fromFirst.keys.length, 1)
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';')
  expectSuccess(t, await server.call('POST', '/auth/login', { json, headers: { cookie } }))
  t.equal(watched.take('attempts:known:').decryptions, 1, 'recognised, bound to the session and renewed')
  // A device that is not known, from an address that is: the notice of new devices asks for the history, too.
  expectSuccess(t, await server.call('POST', '/auth/login', { json }))
  t.equal(watched.take('attempts:known:').keys.length, 1)
})

test('a sign-in by code looks the code up once', async (t) => {
  const { server, watched } = await start(t)
  const sent = await server.call('POST', '/auth/captcha/sms', { json: { phone: '13800138000' } })
  const { code } = expectSuccess(t, sent)
  watched.take('')
  const json = { authType: 'phone_captcha', phone: '13800138000', code }
  expectSuccess(t, await server.call('POST', '/auth/login', { json }))
  const { keys } = watched.take('one-time-code:')
  t.ok(keys.length > 0)
  t.equal(new Set(keys).size, keys.length, 'no key is read twice')
})

test('a captcha asks for the failures of its address, and of no name', async (t) => {
  const { server, watched } = await start(t)
  expectSuccess(t, await server.call('GET', '/auth/captcha'))
  const { keys } = watched.take('attempts:')
  t.ok(keys.some((key) => key.startsWith('attempts:address:127.0.0.1')))
  t.ok(keys.every((key) => key.startsWith('attempts:address:')))
})
