import type { ConsoleWords } from '../../en/console.js'
import { spaced } from '../spaced.ts'

export const sessions: ConsoleWords['sessions'] = {
  title: '在线会话',
  caption: '在线会话，最近登录的在前',
  count: (total) => `${total} 个在线会话`,
  search: '按用户名搜索',
  who: '姓名',
  username: '用户名',
  device: '设备',
  address: '网络地址',
  signedIn: '登录时间',
  active: '最近活动',
  yours: '当前会话',
  end: '结束',
  endOf: (name, device) => spaced`结束 ${name} 在 ${device} 的会话`,
  ended: (name) => spaced`${name} 的一个会话已结束。`,
  none: '没有人在线',
  noneHint: '用户登录后，会话会出现在这里。',
}
