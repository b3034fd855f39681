import { userPassword } from '../../../../test/helpers/service/server.js'
import { formOf } from '../../../../test/helpers/service/upload.js'
import { png } from '../pictures.js'
import type { Reads } from './reads.js'

/** What somebody works with: a user, a role to give, a session and a row of the login log. */
export interface Things {
  id: number
  others: number[]
  roleId: number
  tenantId: number
  tokenValue: string
  loginId: number
}

/**
 * How the front end sends a request. `query`: parameters in the query and an empty form as the body; `nothing`: without a body and a
 * content type.
 */
export type Kind = 'get' | 'query' | 'nothing' | 'json' | 'file'

export interface Recorded {
  button: string
  request: string
  kind: Kind
  query?: Record<string, string | number>
  body?: unknown
  /** What the page reads of `data`. A command is done when `code` is 200: its `data` is not read. */
  reads?: Reads
}

const pageOfTen = { pageNum: 1, pageSize: 10 }
const paged = (fields: Reads): Reads => ({
  total: 'number',
  ...Object.fromEntries(Object.entries(fields).map(([name, type]) => [`records[].${name}`, type])),
})

const userFields: Reads = {
  ...{ id: 'number', tenantId: 'number', tenantName: 'text', username: 'text', realName: 'text' },
  ...{ userType: 'number', gender: 'number', userStatus: 'number', phone: 'text?', email: 'text?', remark: 'text?' },
}
const onlineFields: Reads = {
  ...{ tokenValue: 'text', userId: 'number', username: 'text', realName: 'text', deptName: 'text', ipAddress: 'text' },
  ...{ loginLocation: 'text', browser: 'text', os: 'text', loginTime: 'time', lastActivityTime: 'time' },
  ...{ expireTime: 'time', status: 'number', banned: 'boolean' },
}
const loginFields: Reads = {
  ...{
    id: 'number',
    username: 'text',
    userId: 'number?',
    loginType: 'text',
    loginStatus: 'number',
    clientCode: 'text',
  },
  ...{ loginIp: 'text', loginLocation: 'text', browser: 'text', os: 'text', userAgent: 'text', loginTime: 'time' },
  loginMessage: 'text?',
}
const entry: Reads = {
  ...{ id: 'number', parentId: 'number', resourceName: 'text', resourceType: 'number', path: 'text', sort: 'number' },
  ...{ icon: 'text', visible: 'number', menuStatus: 'number', children: 'list' },
}
const inList = (list: string, fields: Reads): Reads =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [`${list}[].${name}`, type]))
const option = inList('', { id: 'number', tenantId: 'number', tenantName: 'text' })
const unit: Reads = {
  ...{ id: 'number', parentId: 'number', orgName: 'text', tenantId: 'number', hasChildren: 'boolean' },
  children: 'list',
}
const dictionary = inList('', { dictLabel: 'text', dictValue: 'text', listClass: 'text', dictSort: 'number' })

/** What opens a page, and the lists and forms: everybody may, and sees nothing of other tenants. */
export const views = ({ tenantId }: Pick<Things, 'tenantId'>): Recorded[] => [
  { button: 'sign-in page', request: 'GET /auth/tenant/options', kind: 'get', reads: { '': 'list' } },
  { button: 'sign-in page', request: 'GET /crypto/public-key', kind: 'get', reads: { '': 'object' } },
  { button: 'every page', request: 'GET /system/demo/status', kind: 'get', reads: { '': 'object' } },
  { button: 'every page', request: 'GET /api/config/manage/watermark', kind: 'get', reads: { '': 'object' } },
  { button: 'every page', request: 'GET /api/message/unread/count', kind: 'get', reads: { '': 'number' } },
  {
    ...{ button: 'bell', request: 'GET /api/message/page', kind: 'get', query: pageOfTen },
    reads: { total: 'number', records: 'list', size: 'number', current: 'number', pages: 'number' },
  },
  { button: 'bell', request: 'GET /api/message/bizType/list/enabled', kind: 'get', reads: { '': 'list' } },
  {
    ...{ button: 'bell', request: 'GET /system/notice/user/page', kind: 'get', query: pageOfTen },
    reads: { total: 'number', records: 'list', size: 'number', current: 'number', pages: 'number' },
  },
  {
    ...{ button: 'header', request: 'GET /auth/current/menu', kind: 'get' },
    reads: {
      ...inList('', entry),
      ...inList('[].children', { ...entry, component: 'text', perms: 'text' }),
    },
  },
  { button: 'header', request: 'GET /system/tenant/current/options', kind: 'get', reads: option },
  { button: 'header', request: 'GET /system/org/current/options', kind: 'get', reads: { '': 'list' } },
  { button: 'header', request: 'POST /system/tenant/userTenantConfig', kind: 'query', query: { id: tenantId } },
  ...['sys_user_type', 'sys_user_status', 'sys_user_sex', 'sys_role_type', 'sys_role_data_scope']
    .concat(['sys_normal_disable', 'sys_login_type', 'sys_common_status', 'sys_client_type'])
    .map((dictType): Recorded => {
      const request = 'GET /system/dict/data/list'
      return { button: `labels of ${dictType}`, request, kind: 'get', query: { dictType }, reads: dictionary }
    }),
  { button: 'user form', request: 'GET /system/tenant/assignable/options', kind: 'get', reads: option },
  {
    ...{ button: 'tree', request: 'GET /system/org/lazyTree', kind: 'get', query: { parentId: 0 } },
    reads: inList('', unit),
  },
  {
    ...{ button: 'grant, tree', request: 'GET /system/org/lazyTree', kind: 'get', query: { parentId: 0, tenantId } },
    reads: inList('', unit),
  },
  { button: 'tree', request: `GET /system/org/children/${tenantId}`, kind: 'get', reads: { '': 'list' } },
  { button: 'user form', request: 'GET /system/post/list', kind: 'get', query: { tenantId }, reads: { '': 'list' } },
  { button: 'user form', request: 'GET /system/user/1/posts', kind: 'get', reads: { '': 'list' } },
  { button: 'user form', request: 'GET /system/region/treeAll', kind: 'get', reads: { '': 'list' } },
  {
    ...{ button: 'users', request: 'GET /system/user/page', kind: 'get' },
    query: { ...pageOfTen, username: '', phone: '', userStatus: '', orgId: '' },
    reads: paged(userFields),
  },
  {
    ...{ button: 'grant, roles', request: 'GET /system/role/page', kind: 'get' },
    query: { ...pageOfTen, orgId: tenantId, tenantId },
    reads: paged({
      ...{ id: 'number', roleName: 'text', roleKey: 'text', roleType: 'number', dataScope: 'number' },
      roleStatus: 'number',
    }),
  },
  {
    ...{ button: 'online users', request: 'GET /auth/online/page', kind: 'get' },
    ...{ query: { ...pageOfTen, username: '' }, reads: paged(onlineFields) },
  },
  {
    ...{ button: 'login log', request: 'GET /system/loginLog/page', kind: 'get' },
    query: {
      ...{ ...pageOfTen, username: '', loginType: '', loginStatus: '', loginIp: '', clientCode: '' },
      ...{ startTime: '', endTime: '' },
    },
    reads: paged(loginFields),
  },
  { button: 'identities', request: 'GET /social/user/bindings', kind: 'get', reads: { '': 'list' } },
  {
    ...{ button: 'export', request: 'POST /api/excel/export/sys_user_export', kind: 'json' },
    body: { ...pageOfTen, username: '', phone: '', userStatus: null },
  },
  { button: 'import, template', request: 'GET /api/excel/template/sys_user_import', kind: 'get' },
  {
    ...{ button: 'avatar', request: 'POST /api/file/upload', kind: 'file', query: { businessType: 'avatar' } },
    ...{ body: formOf({ filename: 'avatar.png', content: png(512, 512) }), reads: { fileId: 'text' } },
  },
]

/** What adds somebody, in a form of which only the first three fields were filled in. */
export const additions = (): Recorded[] => [
  {
    ...{ button: 'add', request: 'POST /system/user/add', kind: 'json' },
    body: {
      ...{ username: 'new', realName: 'New', password: userPassword, tenantIds: null, tenantId: null, userType: null },
      ...{ phone: null, email: null, idCard: null, regionCode: null, remark: null, gender: null, userStatus: null },
      postIds: null,
    },
  },
  {
    ...{ button: 'import', request: 'POST /system/user/import', kind: 'file' },
    body: formOf({ content: 'username\nimported\n' }),
    reads: { success: 'boolean', summary: 'text', errors: 'list' },
  },
]

/** What reads or changes one thing, in the order of a working day. */
export const commands = ({ id, others, roleId, tenantId, tokenValue, loginId }: Things): Recorded[] => [
  {
    ...{ button: 'edit, open', request: 'POST /system/user/getById', kind: 'nothing', query: { id } },
    reads: { ...userFields, 'tenantIds[]': 'number', idCard: 'text?', regionCode: 'text?', postIds: 'list' },
  },
  {
    ...{ button: 'edit, save', request: 'POST /system/user/edit', kind: 'json' },
    body: {
      ...{ id, tenantId, tenantIds: [tenantId], tenantName: 'x', username: 'walked', realName: 'Walked on' },
      ...{ userType: 2, gender: 1, phone: '', email: '', idCard: null, regionCode: null, userStatus: 1, postIds: [] },
      ...{ remark: 'walked', userTypeLabel: 'User', genderLabel: 'Male' },
    },
  },
  { button: 'disable', request: 'POST /system/user/updateStatus', kind: 'query', query: { id, status: 0 } },
  { button: 'enable', request: 'POST /system/user/doUntieDisable', kind: 'query', query: { id } },
  {
    ...{ button: 'reset password', request: 'POST /system/user/resetPwd', kind: 'query' },
    query: { id, password: 'another long phrase' },
  },
  {
    ...{ button: 'tenants', request: `GET /system/user/${id}/tenants`, kind: 'get' },
    reads: inList('', {
      ...{ tenantId: 'number', tenantName: 'text', isDefault: 'number', status: 'number', memberType: 'number' },
    }),
  },
  {
    ...{ button: 'tenants, save', request: `POST /system/user/${id}/tenants`, kind: 'json' },
    body: { tenantIds: [tenantId], defaultTenantId: tenantId, memberType: 2 },
  },
  {
    ...{ button: 'units, save', request: `POST /system/user/${id}/orgs`, kind: 'json' },
    body: { orgIds: [tenantId], mainOrgId: tenantId },
  },
  {
    ...{ button: 'tenant of several', request: 'POST /system/user/batch/tenants', kind: 'json' },
    body: { userIds: others, tenantId, memberType: 2 },
  },
  {
    ...{ button: 'roles', request: `GET /system/user/${id}/org-bindings`, kind: 'get', query: { tenantId } },
    reads: inList('', { orgId: 'number', orgName: 'text', isMain: 'boolean', roleNames: 'list' }),
  },
  {
    ...{ button: 'roles', request: `GET /system/user/${id}/org-roles`, kind: 'get' },
    ...{ query: { orgId: tenantId, tenantId }, reads: { '': 'list' } },
  },
  {
    ...{ button: 'roles, save', request: `POST /system/user/${id}/org-roles`, kind: 'json' },
    body: { orgId: tenantId, roleIds: [roleId], tenantId },
  },
  { button: 'kick out', request: 'POST /auth/online/kickout', kind: 'query', query: { tokenValue } },
  {
    ...{ button: 'ban', request: 'POST /auth/online/ban', kind: 'query' },
    query: { userId: id, banSeconds: 60, reason: 'x' },
  },
  { button: 'unban', request: 'POST /auth/online/unban', kind: 'query', query: { userId: id } },
  { button: 'login log, open', request: `GET /system/loginLog/${loginId}`, kind: 'get', reads: loginFields },
  { button: 'delete', request: 'POST /system/user/remove', kind: 'query', query: { id } },
  { button: 'delete several', request: 'POST /system/user/removeBatch', kind: 'json', body: others },
]

/** What changes the caller, whom no other tenant reaches. */
export const own = (): Recorded[] => [
  {
    ...{ button: 'profile', request: 'POST /system/user/updateProfile', kind: 'json' },
    body: { username: null, realName: 'Me', phone: '', email: '' },
  },
]
