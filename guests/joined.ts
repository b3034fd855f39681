import { addTables } from '../db/guest-tables.js'
import { addPermissions } from '../lib/permissions.js'
import { addVariables } from '../schemas/environment.js'
import { addAuditActions, addReasons } from '../schemas/enumerations.js'
import { addProblems } from '../schemas/problems.js'
import { guests } from './index.js'

// The lists of the house have what guests bring. Imported before anything reads them.
for (const { name, environment = [], problems = {}, permissions = [], auditActions = {}, tables } of guests) {
  addVariables(environment)
  addProblems(problems)
  addReasons(problems)
  addPermissions(permissions)
  addAuditActions(auditActions)
  if (tables) addTables(name, tables)
}
