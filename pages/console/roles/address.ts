import { addressOf } from '../console.js'

/** The page of a role. A tenant is always named, so that a role may have the key `new`, too. */
export const roleAddress = ({ key, tenantId }: { key: string; tenantId: number }): string =>
  `${addressOf(`roles/${encodeURIComponent(key)}`)}?tenantId=${tenantId}`
