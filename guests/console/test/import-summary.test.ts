import { test } from 'tap'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { lastFormat, tableIn } from '../../../test/helpers/service/file-formats.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { importFile } from '../../../test/helpers/service/upload.js'

/** `count` rows of which each has one fault. */
const rowsOf = (count: number) => [
  ['username', 'phone'],
  ['good', null],
  ...Array.from({ length: count }, (_, index) => [`bad${index}`, '12']),
]

test('the summary of an import names the first five faults, because the dialog shows nothing else', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const read = async (count: number, headers: Record<string, string> = {}) =>
    expectSuccess(t, await importFile(server, token, await tableIn(server, lastFormat, rowsOf(count)), { headers }))
  const english = await read(6)
  const fault = (row: number) =>
    `row ${row}: phone must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456`
  const start = 'Refused 6 of 7 rows; nobody was added'
  t.equal(english.summary, [start, ...[3, 4, 5, 6, 7].map(fault), '…'].join('; '))
  t.equal(english.errors.length, 6, 'the list has all of them')
  const chinese = await read(5, { 'accept-language': 'zh-CN' })
  const rows = [3, 4, 5, 6, 7].map(
    (row) =>
      `第 ${row} 行：手机号格式不正确：请填写中国的手机号，如 131 2345 6789，或带国家代码的号码，如 +44 7400 123456`,
  )
  t.equal(chinese.summary, ['共 6 行，其中 5 行有误，未导入任何用户', ...rows].join('；'))
  t.notMatch(chinese.summary, /phone|…/)
  t.equal((await read(0)).summary, 'Added 1 user')
  const states = await importFile(server, token, 'username,userStatus\nx,9\n', {
    headers: { 'accept-language': 'zh-CN', 'x-page-path': '/system/user' },
  })
  t.match(expectSuccess(t, states).summary, '禁用')
  t.notMatch(states.body.data.summary, '停用')

  const off = await startServer(t, { settings: { compat: { enabled: false } } })
  const { accessToken } = await off.signIn()
  const plain = expectSuccess(t, await importFile(off, accessToken, await tableIn(off, lastFormat, rowsOf(6))))
  t.equal(plain.summary, start, 'others get the summary alone')
})
