import type { Language } from '../../schemas/problems.js'

/** The columns of users as Chinese front ends call them. */
export const chineseLabels: Record<string, string> = {
  row: '行',
  username: '用户名',
  realName: '姓名',
  phone: '手机号',
  email: '邮箱',
  role: '角色',
  roles: '角色',
  userType: '用户类型',
  tenant: '租户',
  password: '密码',
  passwordHash: '密码哈希',
  forcePasswordChange: '首次登录修改密码',
  userStatus: '用户状态',
  gender: '性别',
  remark: '备注',
}

export const labelOf = (field: string, language: Language): string =>
  language === 'zh' ? (chineseLabels[field] ?? field) : field
