import type { ConsoleWords } from '../../en/console.js'

export const common: ConsoleWords['common'] = {
  console: '管理控制台',
  groups: { directory: '目录', activity: '动态' },
  account: '我的账号',
  missing: '没有此页面',
  backToStart: '前往控制台首页',
  tenant: '租户',
  tenantNumber: (id) => `租户 ${id}`,
  chooseTenant: '选择租户',
  searchTenants: '按名称搜索租户',
  noTenant: '没有名称包含此文字的租户。',
  statuses: { 0: '已停用', 1: '正常', 2: '已锁定' },
  invited: '已邀请',
  invite: '发送邀请',
  inviteAgain: '重新邀请',
  noLink: '未设置 publicUrl，邮件中只有验证码而没有链接：请您自行告知登录页面的网址。',
  banned: '已封禁',
  bannedUntil: (time) => `至 ${time}`,
  bannedForever: '直至有人解封',
  types: { 0: '系统管理员', 1: '租户管理员', 2: '普通用户' },
  genders: { 0: '未填写', 1: '男', 2: '女' },
}
