import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../lib/caller-of.js'
import { languageOf } from '../../../lib/language.js'
import { CompatDict, CompatDictQuery, CompatTenantOptions, CompatUnitQuery, CompatUnits } from '../schemas/units.js'
import { ref } from '../../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/system/dict/data/list',
    {
      config: { access: 'session', administers: false, beforePasswordChange: true },
      schema: {
        operationId: 'compatGetDictionary',
        tags: ['compat'],
        summary: 'The values of a field and their labels',
        description: 'An unknown `dictType` has none.',
        querystring: CompatDictQuery,
        response: { 200: ref(CompatDict) },
      },
    },
    async (request) => app.compat.findDictionary(request.query.dictType ?? '', languageOf(request)),
  )

  app.get(
    '/system/tenant/assignable/options',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'compatGetAssignableTenants',
        tags: ['compat'],
        summary: 'The tenants to which the caller may add users',
        description: 'Tenants that are enabled; for all but system administrators only their own.',
        response: { 200: ref(CompatTenantOptions) },
      },
    },
    (request) => app.compat.units.assignableTenants(callerOf(request)),
  )

  app.get(
    '/system/tenant/current/options',
    {
      config: { access: 'session', administers: false, beforePasswordChange: true },
      schema: {
        operationId: 'compatGetOwnTenant',
        tags: ['compat'],
        summary: 'The tenant of the caller',
        description: 'A list of one.',
        response: { 200: ref(CompatTenantOptions) },
      },
    },
    async (request) => app.compat.units.ownTenant(callerOf(request)),
  )

  app.get(
    '/system/org/lazyTree',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'compatGetUnitTree',
        tags: ['compat'],
        summary: 'The units of a tenant: the tenant itself',
        description:
          'A tenant is its own one unit: the answer without `parentId` has it, any other is empty. So is that for a tenant which the caller does not see.',
        querystring: CompatUnitQuery,
        response: { 200: ref(CompatUnits) },
      },
    },
    (request) => app.compat.units.tree(callerOf(request), request.query),
  )
}

export default route
