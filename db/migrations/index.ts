import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'
import type { ReportProgress } from '../progress.js'
import { accountsAndSessions } from './0001-accounts-and-sessions.js'
import { loginLog } from './0002-login-log.js'
import { userChanges } from './0003-user-changes.js'
import { identities } from './0004-identities.js'
import { loginMethods } from './0005-login-methods.js'
import { passwordTime } from './0006-password-time.js'
import { storeInItsKey } from './0007-store-in-its-key.js'
import { sessionDevices } from './0008-session-devices.js'
import { countedRefusals } from './0009-counted-refusals.js'
import { refoldedKeys } from './0010-refolded-keys.js'
import { sessionIdentities } from './0011-session-identities.js'
import { verifiedContacts } from './0012-verified-contacts.js'
import { imports } from './0013-imports.js'
import { nameGrams } from './0014-name-grams.js'
import { auditTrail } from './0015-audit-trail.js'
import { administrators } from './0016-administrators.js'
import { listsInOrder } from './0017-lists-in-order.js'
import { userBans } from './0018-user-bans.js'
import { changeLog } from './0019-change-log.js'
import { namePlaces } from './0020-name-places.js'
import { nameKinds } from './0021-name-kinds.js'
import { secondFactors } from './0022-second-factors.js'
import { pageSessions } from './0023-page-sessions.js'
import { copiedNames } from './0024-copied-names.js'
import { bansOfUsers } from './0025-bans-of-users.js'
import { invitedUsers } from './0026-invited-users.js'
import { apiTokens } from './0027-api-tokens.js'
import { keyAlgorithms } from './0028-key-algorithms.js'
import { loggedContacts } from './0029-logged-contacts.js'

/** Receives what a migration has to tell operators. */
export type Report = (line: string) => void

/** All migrations, by name; they run in this order. */
export const createMigrations = (
  schema: EngineSchema,
  report: Report,
  progress: ReportProgress,
): Record<string, Migration> => ({
  '0001-accounts-and-sessions': accountsAndSessions(schema),
  '0002-login-log': loginLog(schema),
  '0003-user-changes': userChanges(schema),
  '0004-identities': identities(schema),
  '0005-login-methods': loginMethods,
  '0006-password-time': passwordTime,
  '0007-store-in-its-key': storeInItsKey(schema),
  '0008-session-devices': sessionDevices,
  '0009-counted-refusals': countedRefusals,
  '0010-refolded-keys': refoldedKeys(report),
  '0011-session-identities': sessionIdentities,
  '0012-verified-contacts': verifiedContacts,
  '0013-imports': imports(schema),
  '0014-name-grams': nameGrams(schema, progress),
  '0015-audit-trail': auditTrail(schema),
  '0016-administrators': administrators,
  '0017-lists-in-order': listsInOrder,
  '0018-user-bans': userBans,
  '0019-change-log': changeLog(schema),
  '0020-name-places': namePlaces(schema, progress),
  '0021-name-kinds': nameKinds,
  '0022-second-factors': secondFactors,
  '0023-page-sessions': pageSessions,
  '0024-copied-names': copiedNames(report),
  '0025-bans-of-users': bansOfUsers,
  '0026-invited-users': invitedUsers,
  '0027-api-tokens': apiTokens(schema),
  '0028-key-algorithms': keyAlgorithms,
  '0029-logged-contacts': loggedContacts(schema),
})
