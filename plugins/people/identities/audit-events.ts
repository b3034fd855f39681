import type { Identity } from '../../../db/repositories/identities.js'
import type { User } from '../../../db/repositories/users.js'
import { userTarget } from '../../../lib/user-target.js'
import type { AuditEvent } from '../../record/audit/audit.js'

type Owner = Pick<User, 'id' | 'username' | 'tenantId'>
type Linked = Pick<Identity, 'id' | 'platform'>

const valuesOf = ({ id, platform }: Linked) => ({ identityId: id, platform })

/** What the audit trail keeps of a linked identity: not the account at the provider, which is personal data. */
export const linkOf = (user: Owner, linked: Linked): AuditEvent => ({
  action: 'identity.link',
  target: userTarget(user),
  after: valuesOf(linked),
})
export const unlinkOf = (user: Owner, linked: Linked): AuditEvent => ({
  action: 'identity.unlink',
  target: userTarget(user),
  before: valuesOf(linked),
})
