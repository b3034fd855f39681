import { genders, userStatuses, userTypes } from './enumerations.js'
import type { Language } from './problems.js'

/** How people read a value of a field. */
export interface ValueLabel {
  value: number | boolean
  en: string
  zh: string
  /** What front ends call it besides: files may have it, too. */
  others?: readonly string[]
}

const yesOrNo = [
  { value: true, en: 'Yes', zh: '是' },
  { value: false, en: 'No', zh: '否' },
] as const

/** The labels of the values of a user, for forms and for files. */
export const valueLabels = {
  userType: [
    {
      ...{ value: userTypes.systemAdmin, en: 'System administrator', zh: '系统管理员' },
      others: ['System-wide account', '系统级账号'],
    },
    {
      ...{ value: userTypes.tenantAdmin, en: 'Tenant administrator', zh: '租户管理员' },
      others: ['Tenant-wide account', '租户级账号'],
    },
    { value: userTypes.user, en: 'User', zh: '普通用户' },
    { value: userTypes.service, en: 'Service account', zh: '服务账号' },
  ],
  userStatus: [
    { value: userStatuses.disabled, en: 'Disabled', zh: '停用', others: ['禁用'] },
    { value: userStatuses.normal, en: 'Normal', zh: '正常' },
    { value: userStatuses.locked, en: 'Locked', zh: '锁定' },
  ],
  gender: [
    { value: genders.unknown, en: 'Unknown', zh: '未知', others: ['Not given', '未填写'] },
    { value: genders.male, en: 'Male', zh: '男' },
    { value: genders.female, en: 'Female', zh: '女' },
  ],
  forcePasswordChange: yesOrNo,
  hasSecondFactor: yesOrNo,
} as const satisfies Record<string, readonly ValueLabel[]>

export type LabelledField = keyof typeof valueLabels

/** The label of a value; the value itself if it has none. */
export const valueLabelOf = (field: LabelledField, value: number | boolean, language: Language): string => {
  const labels: readonly ValueLabel[] = valueLabels[field]
  return labels.find((label) => label.value === value)?.[language] ?? String(value)
}
