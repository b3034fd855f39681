import { test } from 'tap'
import { METHODS } from 'node:http'
import { startServer } from '../helpers/server.js'
import { sendBytes } from '../helpers/socket.js'
test('probe', async (t) => {
  const server = await startServer(t)
  const out: string[] = []
  const raw = async (label: string, bytes: string | Buffer) => { out.push(`--- ${label} ` + (await Promise.race([sendBytes(server, bytes).catch((e) => String(e)), new Promise<string>((r) => setTimeout(() => r('TIMEOUT'), 1500))])).split('\r\n').filter((l) => /^HTTP|^\{|^allow/i.test(l)).join(' | ')) }
  for (const m of METHODS) for (const p of ['/auth/login', '/nowhere']) await raw(m + p, `${m} ${p} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const db = server.app.db
  await db.users.add({ tenantId: 1, username: 'alice', realName: 'ΣΟΦΟΣΑ', userType: 2, passwordHash: null, forcePasswordChange: false, phone: server.app.accounts.readPhone('13800138000'), email: 'Alice@Example.com' }, Date.UTC(2026, 5, 2))
  const { accessToken: token } = await server.signIn()
  const q = async (query: string) => { try { const a = await server.call('GET', '/system/user/page', { token, query }); out.push(`${query} -> ${a.status} ${a.status === 200 ? a.body.data.records.map((r: any) => r.username).join() + ' ' + JSON.stringify({ ...a.body.data, records: 0 }) : JSON.stringify(a.body.data)}`) } catch (e) { out.push(`${query} -> !! ${String(e)}`) } }
  for (const s of ['pageNum=0','pageNum=-5','pageNum=','pageNum=abc','pageNum=1.5','pageNum=1.0','pageNum=1e20','pageNum=0x10','pageNum=1&pageNum=2','pageNum=99999999999999999999','pageNum=-99999999999999999999','pageNum=999999999999999','pageNum=9007199254740991','pageNum=1000000000000000','pageSize=99999999999999999999','pageSize=-99999999999999999999','pageNum=%20','pageNum=+1','pageNum=%2B1','pageNum=-0','pageNum=007','pageNum=%EF%BC%91','pageNum[]=1','pageNum=1%00',
  'username=%00','username=ali%00zzz','username=ce%00zzz','keyword=%00','realName=%00', 'email=alice@example.com%00', 'phone=%00','username=%ff','username=%ED%A0%80','username=%E0%A4%A','username=%','username=a&username=b','username[]=a','username=' + 'a'.repeat(200),'username=' + 'a'.repeat(201),
  'realName=%CE%A3%CE%9F%CE%A6%CE%9F%CE%A3','realName=%CF%83%CE%BF%CF%86%CE%BF%CF%83',
  'phone=13800138000','phone=+8613800138000','phone=%2B8613800138000','phone=008613800138000','phone=138%200013%208000','phone=138-0013-8000','phone=8613800138000','phone=(138)00138000','phone=1380013800','phone=abc','phone=%EF%BC%91380013800%30','phone=+86%20138%200013%208000',
  'email=ALICE@example.COM','email=%20alice@example.com','email=alice',
  ...['2026-06-02','2026-06-02T00:00:00Z','2026-06-02T08:00:00+08:00','2026-06-02T08:00:00%2B08:00','2026-06-02t00:00:00z','2026-06-02%2000:00:00Z','2026-06-02%2000:00:00','2026-02-30','2026-13-01','2026-00-10','2026-06-02T24:00:00Z','2026-06-02T25:00:00Z','2026-06-02T23:60:00Z','2016-12-31T23:59:60Z','2026-06-02T00:00:00%2B24:00','2026-06-02T00:00:00%2B99:99','2026-06-02T00:00:00%2B08:60','2026-06-02T00:00Z','1780300800000','yesterday','2026-6-2','0000-01-01','9999-12-31','2026-06-02T00:00:00.123456789Z','2026-02-29','2024-02-29','2026-02-30T00:00:00Z','2026-06-02T23:30:00-12:00'].flatMap((d) => [`createTimeFrom=${d}`, `createTimeTo=${d}`]),
  'orderByColumn=password','orderByColumn=roleKeys','orderByColumn=id&isAsc=DESC','orderByColumn=id&isAsc=desc,','orderByColumn=id,','orderByColumn=,','isAsc=asc','isAsc=bogus','orderByColumn=id,id&isAsc=asc,desc','orderByColumn=createTime,%20id&isAsc=desc,%20asc','orderByColumn=__proto__','orderByColumn=id%00','__proto__=1','constructor=1','hasOwnProperty=1&toString=2','userStatus=1.5','userStatus=9','tenantId=0','tenantId=-1','pageNum=true', 'orderByColumn='+'id,'.repeat(200)]) await q(s)
  console.error(out.join('\n'))
})
