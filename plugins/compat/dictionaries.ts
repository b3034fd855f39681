import type { CompatDictItem } from '../../schemas/compat-units.js'
import type { Language } from '../../schemas/problems.js'
import { userStatuses, userTypes } from '../../schemas/user.js'

interface Entry {
  value: number
  /** Colour of the label. */
  listClass: 'primary' | 'success' | 'info' | 'warning' | 'danger'
  en: string
  zh: string
}

/** The labels of numbers by the type that the front end asks for. */
const dictionaries: Record<string, Entry[]> = {
  sys_user_type: [
    { value: userTypes.systemAdmin, listClass: 'danger', en: 'System administrator', zh: '系统管理员' },
    { value: userTypes.tenantAdmin, listClass: 'warning', en: 'Tenant administrator', zh: '租户管理员' },
    { value: userTypes.user, listClass: 'primary', en: 'User', zh: '普通用户' },
  ],
  sys_user_status: [
    { value: userStatuses.disabled, listClass: 'danger', en: 'Disabled', zh: '停用' },
    { value: userStatuses.normal, listClass: 'success', en: 'Normal', zh: '正常' },
    { value: userStatuses.locked, listClass: 'warning', en: 'Locked', zh: '锁定' },
  ],
  sys_user_sex: [
    { value: 0, listClass: 'info', en: 'Unknown', zh: '未知' },
    { value: 1, listClass: 'primary', en: 'Male', zh: '男' },
    { value: 2, listClass: 'danger', en: 'Female', zh: '女' },
  ],
}

/** The entries of a dictionary; none for an unknown type. */
export const findDictionary = (type: string, language: Language): CompatDictItem[] =>
  (Object.hasOwn(dictionaries, type) ? (dictionaries[type] ?? []) : []).map(
    ({ value, listClass, ...labels }, index) => ({
      dictLabel: labels[language],
      dictValue: String(value),
      listClass,
      dictSort: index + 1,
    }),
  )
