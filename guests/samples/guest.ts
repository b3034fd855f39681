import type { Guest } from '../guest.js'

export default {
  name: 'samples',
  isOn: () => true,
  commands: () => import('./commands.js'),
} satisfies Guest
