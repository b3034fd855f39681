import type { Language } from './problems.js'

/** The columns of files of users as Chinese front ends call them. */
const chineseLabels: Partial<Record<string, string>> = {
  row: '行',
  id: '编号',
  username: '用户名',
  realName: '姓名',
  phone: '手机号',
  email: '邮箱',
  roles: '角色',
  userType: '用户类型',
  tenant: '租户',
  password: '密码',
  passwordHash: '密码哈希',
  forcePasswordChange: '首次登录修改密码',
  userStatus: '用户状态',
  gender: '性别',
  remark: '备注',
  avatar: '头像',
  lastLoginTime: '最后登录时间',
  lastLoginIp: '最后登录地址',
  loginCount: '登录次数',
  createTime: '创建时间',
  updateTime: '更新时间',
}

/** What front ends call a column besides. */
const otherNames: Partial<Record<string, string>> = { realName: '真实姓名' }

export const labelOf = (column: string, language: Language): string =>
  language === 'zh' ? (chineseLabels[column] ?? column) : column

/** `real_name`, `Real Name` and `realName` name the same column. */
const normaliseName = (name: string) => name.replace(/[\s_-]/g, '').toLowerCase()

/** Whether a text in the first line of a file names the column, by its key or by a Chinese label. */
export const namesColumn = (text: string, column: string): boolean =>
  [column, labelOf(column, 'zh'), otherNames[column] ?? column].some(
    (name) => normaliseName(name) === normaliseName(text),
  )
