import type { Identity } from '../../../db/repositories/identities.js'
import type { User } from '../../../db/repositories/users.js'
import type { AuditEvent } from '../../record/audit/audit.js'

type Owner = Pick<User, 'id' | 'username' | 'tenantId'>
type Linked = Pick<Identity, 'id' | 'platform'>

const targetOf = ({ id, username, tenantId }: Owner) => ({ type: 'user' as const, id, name: username, tenantId })
const valuesOf = ({ id, platform }: Linked) => ({ identityId: id, platform })

/** What the audit trail keeps of a linked identity: not the account at the provider, which is personal data. */
export const linkOf = (user: Owner, linked: Linked): AuditEvent => ({
  action: 'identity.link',
  target: targetOf(user),
  after: valuesOf(linked),
})
export const unlinkOf = (user: Owner, linked: Linked): AuditEvent => ({
  action: 'identity.unlink',
  target: targetOf(user),
  before: valuesOf(linked),
})
