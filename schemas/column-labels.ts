import type { Language } from './problems.js'
import { exportColumns } from './user.js'

/** The columns of files of users as Chinese front ends call them. */
const chineseLabels: Partial<Record<string, string>> = {
  ...exportColumns,
  row: '行',
  password: '密码',
  passwordHash: '密码哈希',
  forcePasswordChange: '首次登录修改密码',
}

/** What front ends call a column besides, the console among them: its list of users has other headings than an export. */
const otherNames: Partial<Record<string, readonly string[]>> = {
  realName: ['真实姓名', 'Name'],
  userStatus: ['Status', '状态'],
  lastLoginTime: ['Last sign-in', '最近登录'],
  hasSecondFactor: ['Factors'],
}

export const labelOf = (column: string, language: Language): string =>
  language === 'zh' ? (chineseLabels[column] ?? column) : column

/** `real_name`, `Real Name` and `realName` name the same column. */
const normaliseName = (name: string) => name.replace(/[\s_-]/g, '').toLowerCase()

/** Whether a text in the first line of a file names the column, by its key, a Chinese label or what front ends call it. */
export const namesColumn = (text: string, column: string): boolean =>
  [column, labelOf(column, 'zh'), ...(otherNames[column] ?? [])].some(
    (name) => normaliseName(name) === normaliseName(text),
  )
