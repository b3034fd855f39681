import { Option } from 'commander'
import type { userTypes } from '../schemas/user.js'

const typeNames: Record<string, keyof typeof userTypes> = {
  'system-admin': 'systemAdmin',
  'tenant-admin': 'tenantAdmin',
  user: 'user',
}

/** What an account is made as, and never changed into or from. */
const otherNames: Record<string, keyof typeof userTypes> = { service: 'service' }

export const userTypeOption = () => new Option('--type <type>', 'kind of user').choices(Object.keys(typeNames))

/** The number of a kind of user that an option names. The schema is loaded only when a command runs. */
export const userTypeOf = async (name: string): Promise<number> => {
  const { userTypes } = await import('../schemas/user.js')
  return userTypes[typeNames[name] ?? otherNames[name] ?? 'user']
}
