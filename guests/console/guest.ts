import type { Guest } from '../guest.js'
import type {} from './settings.js'

export default {
  name: 'console',
  settings: async () => ({ compat: (await import('./settings.js')).Compat }),
  plugin: { isOn: ({ compat }) => compat.enabled, load: () => import('./index.js') },
} satisfies Guest
