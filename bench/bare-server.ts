import Fastify from 'fastify'
import { envelope } from '../schemas/envelope.js'
import { components } from '../schemas/index.js'
import { ref } from '../schemas/ref.js'
import { UserInfo, UserPage } from '../schemas/user.js'

/** The limit: routes of the same schemas that return ready-made answers. */
const app = Fastify()
for (const component of components) app.addSchema(component)

const time = new Date(0).toISOString()
const person = {
  tenantId: 1,
  tenantName: 'Default',
  username: 'user000001',
  realName: 'User 1',
  userType: 2,
  gender: 0,
}
const contact = {
  phone: null,
  email: null,
  avatar: null,
  userStatus: 1,
  forcePasswordChange: false,
  roleKeys: ['user'],
}
const record = {
  ...person,
  ...contact,
  id: 1,
  remark: null,
  lastLoginTime: null,
  lastLoginIp: null,
  loginCount: 0,
  createTime: time,
  updateTime: time,
}
const page = { records: Array.from({ length: 10 }, () => record), total: 1000, size: 10, current: 1, pages: 100 }
const info = {
  ...person,
  ...contact,
  userId: 1,
  roleIds: [1],
  permissions: ['*:*:*'],
  admin: false,
  tenantAdmin: false,
  userClient: 'pc',
  loginTime: 0,
  loginIp: '127.0.0.1',
  createTime: time,
}
const answer = (data: unknown) => ({ code: 200, message: 'Success', data, timestamp: Date.now() })

app.get('/userInfo', { schema: { response: { 200: envelope(ref(UserInfo)) } } }, async () => answer(info))
app.get('/page', { schema: { response: { 200: envelope(ref(UserPage)) } } }, async () => answer(page))

const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url })
process.on('SIGTERM', () => process.exit(0))
