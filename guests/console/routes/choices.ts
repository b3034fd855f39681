import type { FastifyPluginAsync } from 'fastify'
import { callerOf } from '../../../lib/caller-of.js'
import { languageOf } from '../../../lib/language.js'
import { CompatDict, CompatDictQuery, CompatTenantOptions, CompatUnitQuery, CompatUnits } from '../schemas/units.js'
import { ref } from '../../../schemas/ref.js'
import { createAdd } from '../rows.js'

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('GET /system/dict/data/list', {
    operationId: 'compatGetDictionary',
    config: { access: 'session', administers: false, beforePasswordChange: true },
    summary: 'The values of a field and their labels',
    description: 'An unknown `dictType` has none.',
    querystring: CompatDictQuery,
    answer: ref(CompatDict),
    handler: async (request) => app.compat.findDictionary(request.query.dictType ?? '', languageOf(request)),
  })

  add('GET /system/tenant/assignable/options', {
    operationId: 'compatGetAssignableTenants',
    config: { access: 'session' },
    summary: 'The tenants to which the caller may add users',
    description: 'Tenants that are enabled; for all but system administrators only their own.',
    answer: ref(CompatTenantOptions),
    handler: (request) => app.compat.units.assignableTenants(callerOf(request)),
  })

  add('GET /system/tenant/current/options', {
    operationId: 'compatGetOwnTenant',
    config: { access: 'session', administers: false, beforePasswordChange: true },
    summary: 'The tenant of the caller',
    description: 'A list of one.',
    answer: ref(CompatTenantOptions),
    handler: async (request) => app.compat.units.ownTenant(callerOf(request)),
  })

  add('GET /system/org/lazyTree', {
    operationId: 'compatGetUnitTree',
    config: { access: 'session' },
    summary: 'The units of a tenant: the tenant itself',
    description:
      'A tenant is its own one unit: the answer without `parentId` has it, any other is empty. So is that for a tenant which the caller does not see.',
    querystring: CompatUnitQuery,
    answer: ref(CompatUnits),
    handler: (request) => app.compat.units.tree(callerOf(request), request.query),
  })
}

export default route
