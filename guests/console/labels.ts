import type { Violation } from '../../schemas/envelope.js'
import type { Language } from '../../schemas/problems.js'

type Label = Record<Language, string>

const user: Label = { en: 'User', zh: '用户' }
const tenant: Label = { en: 'Tenant', zh: '租户' }
const unit: Label = { en: 'Unit', zh: '组织' }
const role: Label = { en: 'Choice of roles', zh: '角色' }
const status: Label = { en: 'Status', zh: '状态' }
const oneTimeCode: Label = { en: 'Code', zh: '验证码' }
const platformSignIn: Label = { en: 'Sign-in at the platform', zh: '第三方授权' }
const secondStep: Label = { en: 'Second step', zh: '第二步验证' }

/** Fields as the forms of the front end call them. */
const labels: Record<string, Label> = {
  id: user,
  ids: user,
  userId: user,
  userIds: user,
  username: { en: 'User name', zh: '用户名' },
  realName: { en: 'Real name', zh: '姓名' },
  password: { en: 'Password', zh: '密码' },
  endTokens: { en: 'End of the API tokens', zh: '停止 API 令牌' },
  oldPassword: { en: 'Current password', zh: '旧密码' },
  newPassword: { en: 'New password', zh: '新密码' },
  phone: { en: 'Phone number', zh: '手机号' },
  email: { en: 'E-mail address', zh: '邮箱' },
  gender: { en: 'Gender', zh: '性别' },
  userType: { en: 'Type of the user', zh: '用户类型' },
  userStatus: status,
  hasSecondFactor: { en: 'Second factor', zh: '第二步验证' },
  hasSignedIn: { en: 'Has signed in', zh: '是否登录过' },
  status,
  dryRun: { en: 'Check only', zh: '仅校验' },
  remark: { en: 'Remark', zh: '备注' },
  avatar: { en: 'Picture', zh: '头像' },
  file: { en: 'The file', zh: '文件' },
  idCard: { en: 'ID card number', zh: '身份证号' },
  regionCode: { en: 'Region', zh: '所属地区' },
  postIds: { en: 'Post', zh: '岗位' },
  tenantId: tenant,
  tenantIds: tenant,
  defaultTenantId: { en: 'Default tenant', zh: '默认租户' },
  memberType: { en: 'Type of the member', zh: '成员类型' },
  orgId: unit,
  orgIds: unit,
  mainOrgId: { en: 'Main unit', zh: '主组织' },
  roleIds: role,
  roleKeys: role,
  role,
  roleKey: { en: 'Key of the role', zh: '角色标识' },
  roleName: { en: 'Name of the role', zh: '角色名称' },
  avatars: { en: 'Pictures', zh: '头像' },
  format: { en: 'Kind of file', zh: '文件类型' },
  banSeconds: { en: 'Length of the ban', zh: '封禁时长' },
  reason: { en: 'Reason', zh: '原因' },
  tokenValue: { en: 'Session', zh: '会话' },
  loginId: { en: 'Row', zh: '记录' },
  platform: { en: 'Platform', zh: '平台' },
  ...{ socialTicket: platformSignIn, code: oneTimeCode, codeKey: oneTimeCode, state: platformSignIn },
  ...{ authCode: platformSignIn, verifier: platformSignIn, socialUuid: platformSignIn, iss: platformSignIn },
  ...{ ticket: secondStep, credential: secondStep, trustDevice: { en: 'Trust in this device', zh: '信任此设备' } },
  recipient: { en: 'Recipient', zh: '接收人' },
  authType: { en: 'Way to sign in', zh: '登录方式' },
  userClient: { en: 'Client', zh: '客户端' },
  cookie: { en: 'Staying signed in', zh: '保持登录' },
  loginStatus: { en: 'Outcome', zh: '登录状态' },
  loginType: { en: 'Way to sign in', zh: '登录方式' },
  loginIp: { en: 'Network address', zh: '登录 IP' },
  clientCode: { en: 'Client', zh: '客户端' },
  pageNum: { en: 'Page', zh: '页码' },
  pageSize: { en: 'Rows of a page', zh: '每页条数' },
  keyword: { en: 'Search text', zh: '关键词' },
  search: { en: 'Search text', zh: '关键词' },
  orderByColumn: { en: 'Order', zh: '排序字段' },
  isAsc: { en: 'Direction of the order', zh: '排序方向' },
  createTimeFrom: { en: 'Earliest creation time', zh: '创建时间起' },
  createTimeTo: { en: 'Latest creation time', zh: '创建时间止' },
  dictType: { en: 'Dictionary', zh: '字典类型' },
  parentId: unit,
  startTime: { en: 'Start time', zh: '开始时间' },
  endTime: { en: 'End time', zh: '结束时间' },
  body: { en: 'The request', zh: '请求内容' },
}

/** `ids.1` is an item of a list; `1` is one of a body that is a list, which has users only. */
const labelOf = (field: string, language: Language): string => {
  const [, list = 'ids', place] = /^(?:(\w+)\.)?(\d+)$/.exec(field) ?? []
  const label = labels[place === undefined ? field : list]?.[language]
  if (label === undefined) return field
  if (place === undefined) return label
  return language === 'zh' ? `第 ${Number(place) + 1} 个${label}` : `${label} no. ${Number(place) + 1}`
}

/** Faults in a dialog, which shows nothing else. */
const maxFaults = 3

/** Texts that are sentences of their own, about an account or a platform that they name. */
const wholeSentence = /^(该|这是|不支持该)/

/** Joins a label and a text in Chinese. Many texts begin with what they are about: what the label ends with is not said twice. */
const joinChinese = (label: string, message: string): string => {
  const text = message.replace(/^该/, '')
  for (let length = Math.min(label.length, text.length); length > 0; length -= 1)
    if (label.endsWith(text.slice(0, length))) return `${label}${text.slice(length)}`
  return wholeSentence.test(message) ? message : `${label}${message}`
}

const sentenceOf = ({ field, message }: Violation, language: Language): string => {
  const label = labelOf(field, language)
  return language === 'en' ? `${label} ${message}` : joinChinese(label, message)
}

/** What is wrong, in the words of the form. */
export const describe = (violations: Violation[], language: Language): string =>
  violations
    .slice(0, maxFaults)
    .map((violation) => sentenceOf(violation, language))
    .join(language === 'zh' ? '；' : '; ')
