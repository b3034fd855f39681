import type { ConsoleWords } from '../../en/console.js'

export const roleChoice: ConsoleWords['roleChoice'] = {
  roles: '角色',
  search: '按名称搜索角色',
  none: '没有名称包含此文字的角色。',
  more: (count) => `还有 ${count} 个角色：请按名称搜索。`,
}
