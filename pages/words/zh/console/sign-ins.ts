import type { ConsoleWords } from '../../en/console.js'

export const signIns: ConsoleWords['signIns'] = {
  title: '登录记录',
  caption: '登录记录，最新的在前',
  count: (total) => `${total} 条登录和拒绝记录`,
  search: '按提交的名称搜索',
  searchHint: '登录时的名称',
  time: '时间',
  who: '用户',
  outcome: '结果',
  method: '方式',
  device: '设备',
  address: '网络地址',
  signedIn: '已登录',
  refused: '已拒绝',
  secondStep: '已要求第二步验证',
  times: (count) => `${count} 次`,
  none: '还没有登录记录',
  noneHint: '每次登录和拒绝都会出现在这里。',
}
