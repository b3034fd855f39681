import type { Language } from '../../schemas/problems.js'
import { userTypes } from '../../schemas/user.js'
import { valueLabels } from '../../schemas/value-labels.js'
import { labelOfValue } from './words.js'

/** Colour of a label. */
type ListClass = 'primary' | 'success' | 'info' | 'warning' | 'danger'

/** A value of a field, its label in each language and its colour; without one it is neutral. */
interface Entry extends Record<Language, string> {
  value: string | number
  colour?: ListClass | undefined
  remark?: Record<Language, string> | undefined
}

interface Installed {
  /** Names of all sign-in methods and second steps: the login log has rows of those that are no longer offered. */
  authTypes: string[]
  /** Kinds of clients of the configuration. */
  userClients: string[]
}

const outcomes: Entry[] = [
  { value: 0, en: 'Refused', zh: '失败', colour: 'danger' },
  { value: 1, en: 'Succeeded', zh: '成功', colour: 'success' },
]
const states: Entry[] = [
  { value: 0, en: 'Disabled', zh: '禁用', colour: 'danger' },
  { value: 1, en: 'Normal', zh: '正常', colour: 'success' },
]

/** In Chinese at most five characters, as all labels: the columns of the front end cut longer ones. */
const methodLabels: Record<string, Record<Language, string>> = {
  password: { en: 'Password', zh: '密码登录' },
  password_captcha: { en: 'Password and captcha', zh: '图形验证码' },
  phone_captcha: { en: 'Code by SMS', zh: '短信验证码' },
  email_captcha: { en: 'Code by e-mail', zh: '邮箱验证码' },
  oauth2: { en: 'Identity provider', zh: '第三方授权' },
  social: { en: 'Identity provider (ticket)', zh: '第三方登录' },
  passkey: { en: 'Passkey', zh: '通行密钥' },
  totp: { en: 'Authenticator app', zh: '身份验证器' },
  recovery: { en: 'Recovery code', zh: '恢复码' },
}
const clientLabels: Record<string, Record<Language, string>> = {
  pc: { en: 'Browser', zh: '电脑端' },
  app: { en: 'App', zh: '移动应用' },
  h5: { en: 'Mobile page', zh: '移动网页' },
  wechat: { en: 'WeChat', zh: '微信' },
}

/** Names that have no label, such as those of a host app, are their own. */
const named = (names: string[], labels: Record<string, Record<Language, string>>): Entry[] =>
  names.map((value) => ({ value, ...(labels[value] ?? { en: value, zh: value }) }))

type Remarks = Record<number, Record<Language, string>>

const ofUsers = (field: 'userType' | 'userStatus' | 'gender', colours: ListClass[], remarks: Remarks = {}): Entry[] =>
  valueLabels[field].map(({ value }, index) => ({
    value,
    en: labelOfValue(field, value, 'en'),
    zh: labelOfValue(field, value, 'zh'),
    colour: colours[index],
    remark: remarks[value],
  }))

/** Where the front end gives roles. */
const rolesPage = {
  en: 'What the account may do comes from its roles: page of users, button of roles, or the setting compat.rolesOfNewUsers',
  zh: '账号的权限来自角色：请在用户管理页面分配角色，或使用设置 compat.rolesOfNewUsers',
}

const remarksOfTypes: Remarks = {
  [userTypes.systemAdmin]: { en: `Reaches all tenants. ${rolesPage.en}`, zh: `可及所有租户。${rolesPage.zh}` },
  [userTypes.tenantAdmin]: { en: `Reaches its tenant. ${rolesPage.en}`, zh: `可及本租户。${rolesPage.zh}` },
  [userTypes.user]: {
    en: `Reaches users of its tenant who may do no more than it. ${rolesPage.en}`,
    zh: `可及本租户中权限不高于自己的用户。${rolesPage.zh}`,
  },
  [userTypes.service]: {
    en: 'For scripts and other services: signs in by API tokens only. Added in the console, or by rollcall user add --service',
    zh: '供脚本和其他服务使用，只用 API 令牌登录。请在控制台添加，或使用 rollcall user add --service',
  },
}

/** The dictionaries by the type that the front end asks for. */
const dictionaries: Record<string, (installed: Installed) => Entry[]> = {
  sys_user_type: () => ofUsers('userType', ['danger', 'warning', 'primary', 'info'], remarksOfTypes),
  sys_user_status: () => ofUsers('userStatus', ['danger', 'success', 'warning']),
  sys_user_sex: () => ofUsers('gender', ['info', 'primary', 'danger']),
  // The values that the page of roles has in each row.
  sys_role_type: () => [{ value: 1, en: 'Role of the tenant', zh: '租户角色', colour: 'primary' }],
  sys_role_data_scope: () => [{ value: 1, en: 'The whole tenant', zh: '本租户', colour: 'primary' }],
  sys_normal_disable: () => states,
  sys_common_status: () => outcomes,
  sys_login_type: ({ authTypes }) => named(authTypes, methodLabels),
  sys_client_type: ({ userClients }) => named(userClients, clientLabels),
}

export const dictionaryTypes = Object.keys(dictionaries)

/** Finds the entries of a dictionary in a language; none for an unknown type. */
export const createDictionaries = (readInstalled: () => Installed) => (type: string, language: Language) => {
  const entriesOf = Object.hasOwn(dictionaries, type) ? dictionaries[type] : undefined
  return (entriesOf?.(readInstalled()) ?? []).map((entry, index) => ({
    dictLabel: entry[language],
    dictValue: String(entry.value),
    listClass: entry.colour ?? 'info',
    dictSort: index + 1,
    remark: entry.remark?.[language] ?? null,
  }))
}
