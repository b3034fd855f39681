import type { Guest } from '../guest.js'
import type {} from './settings.js'

export default {
  name: 'console',
  settings: async () => ({ compat: (await import('./settings.js')).Compat }),
  isOn: ({ compat }) => compat.enabled,
  routes: () => import('./index.js'),
} satisfies Guest
