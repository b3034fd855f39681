import type { Guest } from '../guest.js'

export default {
  name: 'workbooks',
  isOn: () => true,
  service: () => import('./service.js'),
} satisfies Guest
