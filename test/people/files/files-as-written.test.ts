import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { hasWorkbooks, lastFormat, tableIn } from '../../helpers/service/file-formats.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { askPage } from '../../helpers/service/users.js'

const start = async (t: Test) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const add = async (content: string | Buffer, headers: Record<string, string> = {}) =>
    expectSuccess(t, await importFile(server, token, content, { headers }))
  return { server, token, add }
}
const find = (server: TestServer, name: string) => server.app.db.users.findByUsername(1, name)
const chinese = { 'accept-language': 'zh-CN' }

test('rows that are shorter than the first line have empty cells at their end', async (t) => {
  const { server, add } = await start(t)
  const content = 'username,realName,phone,remark\nalice,Alice,13800138000,hi\nbob\ncarol,Carol,,\n'
  t.match(await add(content), { added: 3, refused: 0, errors: [] })
  t.match(await find(server, 'bob'), { realName: 'bob', phone: undefined, remark: undefined })
  t.match(await find(server, 'carol'), { realName: 'Carol' })
  const { errors } = await add('username,realName\ndora,Dora,x,y\n')
  t.match(errors, [{ rowNum: 2, field: 'row', errorMessage: 'must have no more than 2 fields, like the first line' }])
  t.equal(errors.length, 1)
  const short = [['username', 'realName', 'remark'], ['erin']]
  t.match(await add(await tableIn(server, lastFormat, short)), { added: 1 })
  // Shorter than the example, and so not the example.
  const header = '用户名,真实姓名,手机号,邮箱,用户类型,用户状态,性别,备注'
  t.match(await add(`${header}\nzhangsan,张三,13800138001,zhangsan@example.com,普通用户,正常,女\n`), { added: 1 })
})

for (const [name, sign] of [
  ['semicolons', ';'],
  ['tabs', '\t'],
] as const) {
  test(`cells are separated by ${name} as well`, async (t) => {
    const { server, add } = await start(t)
    const rows = [
      ['username', 'realName', 'remark'],
      ['alice', 'Liddell, Alice', `"a${sign}b"`],
      ['bob'],
      ['carol', '"Carol ""C"""', '="007"'],
    ]
    const content = rows.map((row) => row.join(sign)).join('\r\n')
    t.match(await add(`\ufeff${content}\r\n`), { rows: 3, added: 3 })
    t.match(await find(server, 'alice'), { realName: 'Liddell, Alice', remark: `a${sign}b` })
    t.match(await find(server, 'carol'), { realName: 'Carol "C"', remark: '007' })
    // The line that Excel writes for itself.
    const again = content.replaceAll(/alice|bob|carol/g, '$&2')
    const { added, errors } = await add(`\ufeffsep=${sign}\r\n${again}\r\nadmin${sign}\r\n`)
    t.equal(added, 0)
    t.match(errors, [{ rowNum: 6, field: 'username' }], 'lines are counted as in the file')
    t.match(await add(`\ufeffSEP=${sign}\r\n${again}`), { added: 3 })
    t.match(await find(server, 'alice2'), { realName: 'Liddell, Alice' })
  })
}

test('all faults of a row are told at once, and a name that another row of the file has', async (t) => {
  const { server, add } = await start(t)
  await server.addUser('taken', { phone: '13800138000', email: 'taken@example.com' })
  const rows = [
    'username,phone,email,gender,roles',
    'taken,13800138000,nowhere,9,none',
    'alice,12,alice@example.com,,',
    ',,taken@example.com,,,extra',
    'ALICE,13900139000,Alice@example.com,,',
    'bob,+86 139 0013 9000,,,',
    'taken,,,,',
  ]
  const { errors, refused, added } = await add(rows.join('\n'))
  t.same([added, refused], [0, 6])
  t.same(
    errors.map(({ rowNum, field, errorMessage }: Record<string, string>) => [
      rowNum,
      field,
      /taken|same as in line \d|role|one of|must/.exec(errorMessage ?? '')?.[0],
    ]),
    [
      [2, 'gender', 'one of'],
      [2, 'email', 'must'],
      [2, 'roles', 'role'],
      [2, 'username', 'taken'],
      [2, 'phone', 'taken'],
      [3, 'phone', 'must'],
      [4, 'row', 'must'],
      [4, 'username', 'must'],
      [4, 'email', 'taken'],
      [5, 'username', 'same as in line 3'],
      [5, 'email', 'same as in line 3'],
      [6, 'phone', 'same as in line 5'],
      [7, 'username', 'taken'],
      [7, 'username', 'same as in line 2'],
    ].map(([line, field, text]) => [line, field, text === 'one of' ? 'must' : text]),
  )
  const dry = await add('username\ndora\nDora\n', chinese)
  t.match(dry.errors, [{ rowNum: 3, columnName: '用户名', errorMessage: '与第 2 行相同' }])
})

test('what programs write to keep digits is read as the digits', async (t) => {
  const { server, add } = await start(t)
  const rows = [
    ['username', 'phone', 'gender', 'userType', 'remark', 'password'],
    ['="alice"', '="13800138000"', '', '', '', userPassword],
    ['bob', '"=""13800138001"""', '', '', '', ''],
    ['carol', '13800138002.0', '1.0', '2.0', '3.0', ''],
    ['dora', '+8613800138003.00', '', '', '"=""say """"hi"""""""', ''],
    ['erin', '="13800138004"', '', '', `"'=""kept"""`, `="${userPassword}"`],
  ]
  t.match(await add(rows.map((row) => row.join(',')).join('\n')), { added: 5, errors: [] })
  for (const [index, name] of ['alice', 'bob', 'carol', 'dora', 'erin'].entries())
    t.match(await find(server, name), { phone: `1380013800${index}` }, name)
  t.match(await find(server, 'carol'), { gender: 1, remark: '3.0' })
  t.match(await find(server, 'dora'), { remark: 'say "hi"' })
  t.match(await find(server, 'erin'), { remark: '="kept"' }, 'an export is read as it was')
  t.equal((await server.signIn('erin', userPassword)).userInfo.username, 'erin')
  if (hasWorkbooks) {
    const sheet = [
      ['username', 'phone'],
      ['fay', '13800138005.0'],
      ['gus', '="13800138006"'],
    ]
    t.match(await add(await tableIn(server, 'xlsx', sheet)), { added: 2 })
    t.match(await find(server, 'gus'), { phone: '13800138006' })
  }
  // Wherever a piece of the file ends.
  const many = Array.from({ length: 3000 }, (_, index) => `="many${index}",="${13700000000 + index}"`)
  t.match(await add(['="username",="phone"', ...many].join('\n')), { added: 3000, errors: [] })
  for (const index of [0, 2999]) t.match(await find(server, `many${index}`), { phone: String(13700000000 + index) })
})

test('a cell that holds only signs that nobody sees is empty, and role keys lose them', async (t) => {
  const { server, token, add } = await start(t)
  await server.operator.addRole('reader', 'Reader', ['system:user:list'])
  await server.operator.addRole('writer', 'Writer', ['system:user:add'])
  const unseen = '\u200b\u2060 \u200e'
  const header = 'username,\u200brealName,phone,email,roles,userType,password,forcePasswordChange,gender'
  const rows = [
    `alice,${unseen},${unseen},${unseen},${unseen},${unseen},${unseen},${unseen},${unseen},${unseen}`,
    `bob,,,,\u202areader\u202c|\u200e writer\ufeff,,,,`,
    `${unseen},${unseen}`,
  ]
  t.match(await add([header, ...rows].join('\n')), { rows: 2, added: 2, errors: [] })
  t.match(await find(server, 'alice'), { realName: 'alice', phone: undefined, email: undefined })
  const { records } = expectSuccess(t, await askPage(server, token, 'username=bob'))
  t.match(records, [{ roleKeys: ['reader', 'writer'] }])
  const sheet = [
    ['username', 'phone', unseen],
    ['carol', unseen, unseen],
    [unseen, unseen],
  ]
  t.match(await add(await tableIn(server, lastFormat, sheet)), { rows: 1, added: 1, errors: [] })
})

test('faults of a file name the file and its columns in the words of the template and the language of the request', async (t) => {
  const { server, token } = await start(t)
  const rows: [content: string, english: string | RegExp, chinese: string | RegExp][] = [
    ['realName\nx', 'The file has no column username', '文件缺少“用户名”列（username）'],
    ['username,真实姓名,realName\nx', 'The file has the column realName twice', '文件有重复的列：姓名'],
    ['username|email\nx', /^The file must separate its cells by commas, semi/, /^文件必须用英文逗号（,）、英文分号/],
    [
      '用户名,pasword\nx',
      /^The file has columns .* delete or rename column 2 \("pasword"\)\. A column is one of username, realName/,
      /^文件有无法识别的列：请删除或重命名第 2 列（“pasword”）。可用的列：用户名, 姓名/,
    ],
    [
      'Mobile,username,,Department\nx',
      /rename column 1 \("Mobile"\), column 4 \("Department"\)\. A/,
      /重命名第 1 列（“Mobile”）, 第 4 列（“Department”）。/,
    ],
    ['alice,secret\nx', /column 1 is none of username/, /第 1 列不是以下之一：用户名/],
    [`username,a\u001b${'x'.repeat(60)}\nx`, /column 2 \("a x{38}…"\)\. A/, /第 2 列（“a x{38}…”）。/],
  ]
  for (const [content, english, zh] of rows) {
    const answer = await importFile(server, token, content)
    expectProblem(t, answer, 'invalid_request', ['file'])
    t.match(answer.body.message, english)
    t.notMatch(answer.body.message, /request/)
    const translated = await importFile(server, token, content, { headers: chinese })
    t.match(translated.body.message, zh)
    t.notMatch(translated.body.message, /请求|realName|file/)
  }
})

test('headings of the list of the console name their columns', async (t) => {
  const { server, add } = await start(t)
  const headings = [
    ['Name,User name,Phone,E-mail,Roles,Factors,Status,Last sign-in', 'alice'],
    ['姓名,用户名,手机号,邮箱,角色,第二步验证,状态,最近登录', 'bob'],
  ] as const
  for (const [line, username] of headings) {
    t.match(await add(`${line}\nA Name,${username},,,,,0,Never\n`), { rows: 1, added: 1, errors: [] })
    t.match(await find(server, username), { realName: 'A Name', userStatus: 0 })
  }
})

test('a template is there to download, in the language of the request, and is imported once it is filled in', async (t) => {
  const { server, token, add } = await start(t)
  const path = '/system/user/import/template'
  const template = async (query: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await server.call('GET', path, { token, query, headers })
    t.equal(answer.status, 200, answer.text)
    return answer
  }
  const english = await template({})
  t.match(english.headers.get('content-disposition'), /filename="users-template\.csv"/)
  t.match(english.text, /^\ufeff?username,realName,phone,email,roles,/)
  const zh = await template({ format: 'csv' }, chinese)
  t.match(zh.text, /^\ufeff?用户名,姓名,/)
  for (const [index, { text }] of [english, zh].entries())
    t.match(await add(`${text}person${index}\r\n`), { rows: 1, added: 1, errors: [] }, 'the example is skipped')
  const saved = zh.text.replaceAll(',', ';')
  t.match(await add(`${saved}person3;;;;;普通用户\r\n`), { rows: 1, added: 1 }, 'as Excel saves it elsewhere')
  if (hasWorkbooks) t.match((await template({ format: 'xlsx' })).headers.get('content-type'), /spreadsheetml/)
  expectProblem(t, await server.call('GET', path, { token, query: { format: 'pdf' } }), 'invalid_request', ['format'])
  expectProblem(t, await server.call('GET', path), 'token_missing')
})
