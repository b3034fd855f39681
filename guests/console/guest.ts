import type { Guest } from '../guest.js'
import type {} from './settings.js'

export default {
  name: 'console',
  settings: async () => ({ compat: (await import('./settings.js')).Compat }),
  isOn: ({ compat }) => compat.enabled,
  components: async () => (await import('./schemas/index.js')).components,
  routes: () => import('./index.js'),
} satisfies Guest
