import { test, type Test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { importFile } from '../../helpers/service/upload.js'

const start = async (t: Test, phoneRegion: string | null) => {
  const server = await startServer(t, {
    settings: { phoneRegion, captcha: { mode: 'never' }, registration: { mode: 'open' } },
  })
  const { accessToken: token } = await server.signIn()
  const add = (username: string, phone: string) =>
    server.call('POST', '/system/user', { token, json: { username, phone, password: userPassword } })
  return { server, token, add }
}

/** What is typed, and the number that is stored; undefined where it is refused. */
const typed: Record<string, Record<string, string | undefined>> = {
  CN: {
    '(212) 555-0123': undefined,
    '021 2555 0123': undefined,
    '021-25550123': undefined,
    '+86 21 2555 0123': '+862125550123',
    '+1 (212) 555-0123': '+12125550123',
    '0012125550124': '+12125550124',
    '139 0013 9000': '+8613900139000',
    '+86 139 0013 9001': '+8613900139001',
  },
  GB: {
    '020 7946 0018': undefined,
    '13900139000': undefined,
    '+44 20 7946 0018': '+442079460018',
    '07400 123456': '+447400123456',
  },
  // Landlines and mobile numbers have one form there.
  US: { '(212) 555-0123': '+12125550123', '13900139000': undefined, '+8613900139000': '+8613900139000' },
  none: {
    '13900139000': undefined,
    '(212) 555-0123': undefined,
    '0086 139 0013 9000': '+8613900139000',
    '+1 212 555 0123': '+12125550123',
  },
}

const ownCodes: Record<string, string> = { CN: '+86', GB: '+44', US: '+1' }

for (const [name, rows] of Object.entries(typed))
  test(`with the region ${name}, a number without a country code is a mobile number of it or refused`, async (t) => {
    const { server, token, add } = await start(t, name === 'none' ? null : name)
    const forms = expectSuccess(t, await server.call('GET', '/auth/loginConfig')).phoneNumbers
    for (const [index, [text, key]] of Object.entries(rows).entries()) {
      const answer = await add(`user-${index}`, text)
      if (key === undefined) {
        expectProblem(t, answer, 'invalid_request')
        const [{ field, message }] = answer.body.data.violations
        t.equal(field, 'phone')
        t.match(message, forms.international, 'the message has an example')
        if (forms.national !== null) t.match(message, forms.national)
      } else {
        t.equal(expectSuccess(t, answer).internationalPhone, key, text)
      }
    }
    const imported = await importFile(server, token, `username,phone\nfile,${Object.keys(rows)[0] ?? ''}\n`)
    t.match(imported.body.data, Object.values(rows)[0] === undefined ? { refused: 1, added: 0 } : { refused: 1 })
    t.notMatch(forms.international, ownCodes[name] ?? 'none', 'the example with a code is of another country')
    t.equal(forms.region, name === 'none' ? null : name)
  })

test('a code never goes to a landline that somebody abroad has typed without a country code', async (t) => {
  const { server, gateway } = await startWithMessages(t, {
    settings: { captcha: { mode: 'never' }, registration: { mode: 'open' } },
  })
  const { accessToken: token } = await server.signIn('alice', userPassword)
  const count = gateway.received.length
  const own = await server.call('POST', '/auth/profile/code', { token, json: { recipient: '(212) 555-0123' } })
  expectProblem(t, own, 'invalid_request')
  t.match(own.body.data.violations, [{ field: 'recipient', message: /a mobile number \(China\) such as .+\+44/ }])
  const inChinese = await server.call('POST', '/auth/register/code', {
    json: { recipient: '(212) 555-0123' },
    headers: { 'accept-language': 'zh-CN' },
  })
  t.match(inChinese.body.data.violations, [{ field: 'recipient', message: /请填写中国的手机号，如 .+\+44/ }])
  t.equal(gateway.received.length, count, 'nothing was sent')
})

test('a number that is stored stays when a form sends it back, and its owner signs in with it', async (t) => {
  const { server, token } = await start(t, 'CN')
  const { id } = await server.addUser('bob')
  const connection = await connect(server.app.installation.directory)
  await connection.run(`update users set phone = '02125550123', phone_key = '+862125550123' where id = ${id}`)
  await connection.close()
  const read = expectSuccess(t, await server.call('GET', `/system/user/${id}`, { token }))
  t.match(read, { phone: '02125550123', internationalPhone: '+862125550123' })
  for (const phone of ['02125550123', '+862125550123']) {
    const changed = await server.call('PATCH', `/system/user/${id}`, { token, json: { phone, realName: 'Bob' } })
    t.match(expectSuccess(t, changed), { phone: '02125550123', internationalPhone: '+862125550123' })
  }
  const other = await server.call('PATCH', `/system/user/${id}`, { token, json: { phone: '02125550124' } })
  expectProblem(t, other, 'invalid_request')
})

test('whoever sees numbers masked sees none with its country code either', async (t) => {
  const { server } = await start(t, 'CN')
  const { id } = await server.addUser('bob', { phone: '13900139000' })
  const { accessToken: admin } = await server.signIn()
  const role = {
    key: 'viewer',
    name: 'Viewer',
    permissions: ['system:user:list', 'system:user:edit', 'system:user:view'],
  }
  expectSuccess(t, await server.call('POST', '/system/role', { token: admin, json: role }))
  await server.addUser('viewer', { roles: ['viewer'] })
  const { accessToken: token } = await server.signIn('viewer', userPassword)
  const answer = await server.call('GET', `/system/user/${id}`, { token })
  t.match(expectSuccess(t, answer), { internationalPhone: null })
  t.notMatch(answer.text, '13900139000')
  const { accessToken: own } = await server.signIn('bob', userPassword)
  t.equal(
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: own })).internationalPhone,
    '+8613900139000',
  )
})
