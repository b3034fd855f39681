import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../lib/caller-of.js'
import { pickLanguage } from '../../lib/language.js'
import {
  CompatDict,
  CompatDictQuery,
  CompatNothing,
  CompatParentQuery,
  CompatTenantOptions,
  CompatUnits,
} from '../schemas/units.js'
import { ref } from '../../schemas/ref.js'

const route: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/system/dict/data/list',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'compatGetDictionary',
        tags: ['compat'],
        summary: 'The values of a field and their labels',
        description: 'An unknown `dictType` has none.',
        querystring: CompatDictQuery,
        response: { 200: ref(CompatDict) },
      },
    },
    async (request) =>
      app.compat.findDictionary(request.query.dictType ?? '', pickLanguage(request.headers['accept-language'])),
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
      config: { access: 'session', beforePasswordChange: true },
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
        summary: 'The units of the tenant: the tenant itself',
        description: 'A tenant is its own one unit: the answer without `parentId` has it, any other is empty.',
        querystring: CompatParentQuery,
        response: { 200: ref(CompatUnits) },
      },
    },
    async (request) => app.compat.units.below(callerOf(request), request.query.parentId),
  )

  const empty = [
    ['/system/org/children/:id', 'compatGetUnits', 'The units below a unit: none'],
    ['/system/org/current/options', 'compatGetUnitOptions', 'The units to choose in the header: none'],
    ['/system/post/list', 'compatGetPosts', 'The posts of a tenant: none'],
    ['/system/region/treeAll', 'compatGetRegions', 'The regions: none'],
  ] as const
  for (const [path, operationId, summary] of empty) {
    const params = path.includes(':id')
      ? { params: Type.Object({ id: Type.String({ maxLength: 100, description: 'Id of the unit', examples: ['1'] }) }) }
      : {}
    app.get(
      path,
      {
        config: { access: 'session', beforePasswordChange: path === '/system/org/current/options' },
        schema: {
          operationId,
          tags: ['compat'],
          summary,
          description: 'Always an empty list.',
          ...params,
          response: { 200: ref(CompatNothing) },
        },
      },
      async () => [],
    )
  }

  app.post(
    '/system/tenant/userTenantConfig',
    {
      config: { access: 'session', beforePasswordChange: true },
      schema: {
        operationId: 'compatGetTenantSettings',
        tags: ['compat'],
        summary: 'Settings of a tenant: none',
        description: 'For front ends that ask for it after the sign-in; the answer is always null.',
        response: { 200: Type.Null() },
      },
    },
    async () => null,
  )
}

export default route
