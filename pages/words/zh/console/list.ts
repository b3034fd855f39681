import type { ConsoleWords } from '../../en/console.js'

export const list: ConsoleWords['list'] = {
  rows: '每页行数',
  page: '页码',
  ofPages: (count) => `共 ${count} 页`,
  range: (from, to) => `${from}–${to}，共 `,
  notLoaded: '列表加载失败',
  tryNow: '立即重试',
  loading: '正在加载',
  nothing: '没有匹配的内容',
  nothingHint: '没有符合搜索和筛选条件的行。',
  clear: '清除搜索和筛选',
  removeFilter: (name) => `移除筛选“${name}”`,
  filter: (name, value) => `${name}：${value}`,
  period: '时间',
  since: (time) => `自 ${time} 起`,
  periods: { day: '最近 24 小时', week: '最近 7 天', month: '最近 30 天' },
}
