import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { askPage, insertUsers, namesOf, type UserToInsert } from '../../helpers/service/users.js'

const users: UserToInsert[] = [
  { username: 'alice', realName: 'Alice Liddell', email: 'Alice.L@Example.com', phone: '13800138000' },
  { username: 'Malice', realName: '爱丽丝', userType: 1, columns: { user_status: 0 } },
  { username: 'bob_1', realName: 'Bob 100%', email: 'bob@example.com', phone: '13900139000' },
  { username: 'bobX1', realName: 'Bob 1000', columns: { user_status: 2 } },
  { username: 'back\\slash', realName: "O'Hara; drop table users" },
  { username: '王小明', realName: '王小明' },
  { username: 'wang', realName: '小王', columns: { has_second_factor: 1 } },
  { username: 'эдуард', realName: 'Эдуард ЩЕДРИН' },
  { username: 'élodie', realName: 'ÉLODIE Façade', phone: '+44 7911 123456' },
  { username: 'sofos', realName: 'ΣΟΦΟΣΑ' },
  { username: 'ｗｉｄｅ', realName: 'Ｆｕｌｌ　Ｗｉｄｔｈ' },
  { username: 'n13800138000', realName: 'Number' },
  { username: 'n2001@intern', realName: 'Address' },
]

const startWithUsers = async (t: Test) => {
  const server = await startServer(t)
  await insertUsers(server, users)
  return { server, token: (await server.signIn()).accessToken }
}

/** Asserts who is found, in alphabetical order, and that `total` counts exactly them. */
const expectFound = async (t: Test, rows: [query: string, names: string[]][]) => {
  const { server, token } = await startWithUsers(t)
  for (const [query, names] of rows) {
    await t.test(query, async (t) => {
      const data = expectSuccess(t, await askPage(server, token, query))
      t.same(namesOf(data).sort(), [...names].sort())
      t.equal(data.total, names.length)
      t.equal(data.pages, Math.ceil(names.length / (query.includes('pageSize=100') ? 100 : 10)))
    })
  }
}
const encode = encodeURIComponent

test('names are found by any part, whatever their case, width and accents', (t) =>
  expectFound(t, [
    ['username=alice', ['alice', 'Malice']],
    ['username=ALI', ['alice', 'Malice']],
    ['username=malice', ['Malice']],
    [`username=${encode('小明')}`, ['王小明']],
    [`realName=${encode('王')}`, ['王小明', 'wang']],
    [`realName=${encode('爱丽')}`, ['Malice']],
    ['realName=liddell', ['alice']],
    ['realName=Alice Liddell', ['alice']],
    ['realName=Alice+Liddell', ['alice']],
    [`realName=${encode('щедрин')}`, ['эдуард']],
    [`username=${encode('ЭДУ')}`, ['эдуард']],
    [`realName=${encode('élodie')}`, ['élodie']],
    [`username=${encode('É'.normalize('NFD'))}`, ['élodie']],
    [`realName=${encode('FAÇADE')}`, ['élodie']],
    [`username=${encode('ＡＬＩＣＥ')}`, ['alice', 'Malice']],
    ['username=WIDE', ['ｗｉｄｅ']],
    ['realName=full width', ['ｗｉｄｅ']],
    [`realName=${encode('σοφοσα')}`, ['sofos']],
    [`realName=${encode('ΣΟΦΟΣ')}`, ['sofos']],
    ['username=nobody', []],
  ]))

test('wildcards, quotes and backslashes are ordinary characters', (t) =>
  expectFound(t, [
    ['username=_', ['bob_1']],
    ['username=bob_1', ['bob_1']],
    ['username=bob__', []],
    ['username=%25', []],
    ['realName=%25', ['bob_1']],
    ['realName=100%25', ['bob_1']],
    ['realName=100', ['bob_1', 'bobX1']],
    ['username=%5C', ['back\\slash']],
    ['username=%5C%5C', []],
    ['username=%5C%25', []],
    ['username=*', []],
    ['username=.', []],
    ["realName='", ['back\\slash']],
    [`realName=${encode("O'Hara; drop table users")}`, ['back\\slash']],
    [`username=${encode("' or '1'='1")}`, []],
    [`username=${encode("%' or 1=1 --")}`, []],
    [`keyword=${encode('") union select password_hash from users --')}`, []],
  ]))

test('a keyword is looked for in both names', (t) =>
  expectFound(t, [
    ['keyword=ALICE', ['alice', 'Malice']],
    ['keyword=bob 1', ['bob_1', 'bobX1']],
    [`keyword=${encode('王')}`, ['王小明', 'wang']],
    ['keyword=administrator', ['admin']],
    ['keyword=%25', ['bob_1']],
    ['keyword=example.com', []],
    ['keyword=13800138000', ['n13800138000']],
  ]))

test('one text finds by either name, and by the whole of an e-mail address or of a phone number in every spelling', (t) =>
  expectFound(t, [
    ['search=ALICE', ['alice', 'Malice']],
    [`search=${encode('王')}`, ['王小明', 'wang']],
    ['search=%25', ['bob_1']],
    ['search=alice.l@example.com', ['alice']],
    ['search=%20BOB@Example.COM', ['bob_1']],
    ['search=example.com', []],
    ['search=@example.com', []],
    ['search=_ob@example.com', []],
    ['search=a******l@example.com', []],
    ['search=13800138000', ['alice', 'n13800138000']],
    ['search=%2B86 138 0013 8000', ['alice']],
    ['search=138-0013-8000', ['alice']],
    [`search=${encode('１３８００１３８０００')}`, ['alice', 'n13800138000']],
    [`search=${encode('+44 7911 123456')}`, ['élodie']],
    ['search=1380013800', ['n13800138000']],
    ['search=0013', ['n13800138000']],
    ['search=138******8000', []],
    ['search=2001', ['n2001@intern']],
    ['search=n2001@intern', ['n2001@intern']],
    ['search=1', ['bob_1', 'bobX1', 'n13800138000', 'n2001@intern']],
    ['search=bob@example.com&userStatus=1&keyword=bob', ['bob_1']],
    ['search=bob@example.com&userStatus=0', []],
    ['search=bob@example.com&realName=alice', []],
    ['search=13800138000&phone=13800138000', ['alice']],
    ['search=13800138000&phone=13900139000', []],
  ]))

test('a phone number is found in every spelling, and only as a whole', (t) =>
  expectFound(t, [
    ['phone=13800138000', ['alice']],
    ['phone=%2B8613800138000', ['alice']],
    ['phone=+8613800138000', ['alice']],
    ['phone=008613800138000', ['alice']],
    ['phone=138 0013 8000', ['alice']],
    ['phone=138-0013-8000', ['alice']],
    ['phone=%2B86 138 0013 8000', ['alice']],
    [`phone=${encode('１３８００１３８０００')}`, ['alice']],
    [`phone=${encode('+44 7911 123456')}`, ['élodie']],
    ['phone=00447911123456', ['élodie']],
    ['phone=07911123456', []],
    ['phone=1380013800', []],
    ['phone=138', []],
    ['phone=8000', []],
    ['phone=138******8000', []],
    ['phone=13800138001', []],
    ['phone=abc', []],
    ['phone=%25', []],
  ]))

test('an e-mail address is found in any case, and only as a whole', (t) =>
  expectFound(t, [
    ['email=alice.l@example.com', ['alice']],
    ['email=ALICE.L@EXAMPLE.COM', ['alice']],
    ['email=alice', []],
    ['email=example.com', []],
    ['email=%25@example.com', []],
    ['email=_ob@example.com', []],
    ['email=a******l@example.com', []],
  ]))

const everybody = ['admin', ...users.map(({ username }) => username)]
const normal = everybody.filter((name) => !['Malice', 'bobX1'].includes(name))

test('status, type and tenant are compared as numbers, and all filters hold at once', (t) =>
  expectFound(t, [
    ['pageSize=100&userStatus=0', ['Malice']],
    ['pageSize=100&userStatus=1', normal],
    ['pageSize=100&userStatus=2', ['bobX1']],
    ['pageSize=100&userStatus=9', []],
    ['pageSize=100&userStatus=-1', []],
    ['pageSize=100&userType=0', ['admin']],
    ['pageSize=100&userType=1', ['Malice']],
    ['pageSize=100&hasSecondFactor=true', ['wang']],
    [`realName=${encode('王')}&hasSecondFactor=false`, ['王小明']],
    ['username=wang&hasSecondFactor=', ['wang']],
    ['pageSize=100&invited=true', []],
    ['username=ali&invited=false', ['alice', 'Malice']],
    ['username=ali&hasSignedIn=false', ['alice', 'Malice']],
    ['username=ali&hasSignedIn=true', []],
    ['pageSize=100&tenantId=2', []],
    ['username=ali&userStatus=1', ['alice']],
    ['username=ali&userStatus=0&userType=1', ['Malice']],
    ['username=ali&realName=bob', []],
    ['keyword=bob&phone=13900139000&email=BOB@example.com&userStatus=1&userType=2&tenantId=1', ['bob_1']],
    ['keyword=bob&phone=13800138000', []],
  ]))

test('blank filters are absent, and filters that the service does not have are ignored', async (t) => {
  const { server, token } = await startWithUsers(t)
  const all = expectSuccess(t, await askPage(server, token))
  t.equal(all.total, 14)
  for (const query of [
    'username=&realName=&phone=&userStatus=&regionCode=&tenantId=&orgId=',
    'keyword=&email=&userType=&createTimeFrom=&createTimeTo=&orderByColumn=&isAsc=&pageNum=&pageSize=',
    'regionCode=110000&deptId=5',
    'regionCode=%25&deptId[]=1&params[beginTime]=x',
    '__proto__=1&constructor=2&hasOwnProperty=3&toString=4',
    'password=x&passwordHash=y&password_hash=z&id=1',
    '&&&=&=x',
  ]) {
    t.same(expectSuccess(t, await askPage(server, token, query)), all, query)
  }
})

test('a filter that cannot be read is refused by name', async (t) => {
  const { server, token } = await startWithUsers(t)
  const rows: [query: string, fields: string[]][] = [
    ['userStatus=abc', ['userStatus']],
    ['userStatus=1.5', ['userStatus']],
    ['userType=0x1', ['userType']],
    ['hasSecondFactor=yes', ['hasSecondFactor']],
    ['invited=1', ['invited']],
    ['hasSignedIn=never', ['hasSignedIn']],
    ['tenantId=one', ['tenantId']],
    ['tenantId=1 or 1=1', ['tenantId']],
    ['tenantId=1&tenantId=2', ['tenantId']],
    ['username=a&username=b', ['username']],
    ['phone=1&phone=2', ['phone']],
    ['email=a&email=b', ['email']],
    ['keyword=a&keyword=b', ['keyword']],
    ['search=a&search=b', ['search']],
    [`username=${'a'.repeat(201)}`, ['username']],
    [`keyword=${'%25'.repeat(201)}`, ['keyword']],
    ['userStatus=a&userType=b&tenantId=c', ['userStatus', 'userType', 'tenantId']],
  ]
  for (const [query, fields] of rows) {
    await t.test(query.slice(0, 60), async (t) => {
      const answer = await askPage(server, token, query)
      expectProblem(t, answer, 'invalid_request', fields)
      t.notMatch(answer.text, 'records')
    })
  }
})

test('the longest filters cost no more than others', async (t) => {
  const { server, token } = await startWithUsers(t)
  for (const character of ['%25', '_', '\\', '\ufdfa', '\u{1f600}']) {
    const text =
      character === '%25' ? character.repeat(200) : encode(character.repeat(character === '\u{1f600}' ? 100 : 200))
    expectSuccess(t, await askPage(server, token, `username=${text}&realName=${text}&keyword=${text}&search=${text}`))
  }
})

test('bytes that are no text find nobody and break nothing', async (t) => {
  const { server, token } = await startWithUsers(t)
  for (const text of ['%ff', '%c0%af', '%ED%A0%80', '%E0%A4%A', '%', '%zz', '%u0041']) {
    t.equal(expectSuccess(t, await askPage(server, token, `username=${text}`)).total, 0, text)
  }
})

test('a NUL character is refused by the name of its field', async (t) => {
  const server = await startServer(t)
  const token = (await server.signIn()).accessToken
  for (const field of ['username', 'realName', 'keyword', 'search', 'phone', 'email']) {
    for (const value of ['%00', 'a%00', 'a%00b']) {
      const answer = await server.call('GET', '/system/user/page', { token, query: `${field}=${value}` })
      expectProblem(t, answer, 'invalid_request', [field])
    }
  }
})
