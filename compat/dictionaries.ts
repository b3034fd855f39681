import type { Language } from '../schemas/problems.js'
import { valueLabels } from '../schemas/value-labels.js'

/** Colour of a label. */
type ListClass = 'primary' | 'success' | 'info' | 'warning' | 'danger'

/** A value of a field, its label in each language and its colour; without one it is neutral. */
interface Entry extends Record<Language, string> {
  value: string | number
  colour?: ListClass | undefined
}

interface Installed {
  /** Names of the sign-in methods. */
  authTypes: string[]
  /** Kinds of clients of the configuration. */
  userClients: string[]
}

const outcomes: Entry[] = [
  { value: 0, en: 'Refused', zh: '失败', colour: 'danger' },
  { value: 1, en: 'Succeeded', zh: '成功', colour: 'success' },
]
const states: Entry[] = [
  { value: 0, en: 'Disabled', zh: '停用', colour: 'danger' },
  { value: 1, en: 'Normal', zh: '正常', colour: 'success' },
]

const methodLabels: Record<string, Record<Language, string>> = {
  password: { en: 'Password', zh: '密码登录' },
  password_captcha: { en: 'Password and captcha', zh: '密码加图形验证码' },
  phone_captcha: { en: 'Code by SMS', zh: '短信验证码' },
  email_captcha: { en: 'Code by e-mail', zh: '邮箱验证码' },
  oauth2: { en: 'Identity provider', zh: '第三方授权' },
  social: { en: 'Identity provider (ticket)', zh: '第三方登录' },
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

const ofUsers = (field: 'userType' | 'userStatus' | 'gender', colours: ListClass[]): Entry[] =>
  valueLabels[field].map((entry, index) => ({ ...entry, colour: colours[index] }))

/** The dictionaries by the type that the front end asks for. */
const dictionaries: Record<string, (installed: Installed) => Entry[]> = {
  sys_user_type: () => ofUsers('userType', ['danger', 'warning', 'primary']),
  sys_user_status: () => ofUsers('userStatus', ['danger', 'success', 'warning']),
  sys_user_sex: () => ofUsers('gender', ['info', 'primary', 'danger']),
  // The values that the page of roles has in each row.
  sys_role_type: () => [{ value: 1, en: 'Role of the tenant', zh: '租户角色', colour: 'primary' }],
  sys_role_data_scope: () => [{ value: 1, en: 'The whole tenant', zh: '本租户全部数据', colour: 'primary' }],
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
  }))
}
