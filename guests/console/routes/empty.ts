import { Type, type FastifyPluginAsyncTypebox, type TSchema } from '@fastify/type-provider-typebox'
import { ref } from '../../../schemas/ref.js'
import { CompatNoMessages, CompatNoPage, CompatNoPageQuery, CompatNoSettings, CompatNothing } from '../schemas/units.js'
import { emptyPage } from '../empty-page.js'
import type { PagingParameters } from '../../../schemas/paging.js'

/** What is not there. A page that gets a 404 for it opens a dialog. */
const kinds = {
  list: { schema: ref(CompatNothing), answer: () => [], says: 'Always an empty list.' },
  settings: { schema: ref(CompatNoSettings), answer: () => ({}), says: 'Always an empty object.' },
  page: { schema: ref(CompatNoPage), answer: emptyPage, says: 'Always a page without rows.' },
  count: { schema: ref(CompatNoMessages), answer: () => 0, says: 'Always 0.' },
  nothing: { schema: Type.Null(), answer: () => null, says: 'Always null.' },
} satisfies Record<string, { schema: TSchema; answer: (query: PagingParameters) => unknown; says: string }>

/** `everywhere` is asked for on every page, also before a forced change of the password; `open` before the sign-in, too. */
type Audience = 'open' | 'everywhere' | 'forms'

type Row = [
  request: string,
  operationId: string,
  summary: string,
  kind: keyof typeof kinds,
  audience: Audience,
  parameter?: string,
]

const rows: Row[] = [
  ['GET /auth/tenant/options', 'compatGetSignInTenants', 'Tenants to choose at the sign-in: none', 'list', 'open'],
  ['GET /crypto/public-key', 'compatGetPublicKey', 'A key for encrypted requests: none', 'settings', 'open'],
  ['GET /system/demo/status', 'compatGetDemoStatus', 'Whether this is a demonstration: it is none', 'settings', 'open'],
  [
    'GET /api/config/manage/watermark',
    'compatGetWatermark',
    'A watermark of all pages: none',
    'settings',
    'everywhere',
  ],
  ['GET /api/message/unread/count', 'compatCountMessages', 'Messages that are not read: none', 'count', 'everywhere'],
  ['GET /api/message/page', 'compatGetMessages', 'A page of messages: none', 'page', 'everywhere'],
  ['GET /api/message/bizType/list/enabled', 'compatGetMessageTypes', 'Types of messages: none', 'list', 'everywhere'],
  ['GET /system/notice/user/page', 'compatGetNotices', 'A page of notices: none', 'page', 'everywhere'],
  [
    'GET /system/org/current/options',
    'compatGetUnitOptions',
    'The units to choose in the header: none',
    'list',
    'everywhere',
  ],
  [
    'POST /system/tenant/userTenantConfig',
    'compatGetTenantSettings',
    'Settings of a tenant: none',
    'nothing',
    'everywhere',
  ],
  ['GET /system/org/children/:id', 'compatGetUnits', 'The units below a unit: none', 'list', 'forms', 'Id of the unit'],
  ['GET /system/post/list', 'compatGetPosts', 'The posts of a tenant: none', 'list', 'forms'],
  ['GET /system/user/:id/posts', 'compatGetUserPosts', 'The posts of a user: none', 'list', 'forms', 'Id of the user'],
  ['GET /system/region/treeAll', 'compatGetRegions', 'The regions: none', 'list', 'forms'],
]

const id = (description: string) => Type.Object({ id: Type.String({ maxLength: 100, description, examples: ['1'] }) })

const route: FastifyPluginAsyncTypebox = async (app) => {
  for (const [request, operationId, summary, kind, audience, parameter] of rows) {
    const [method = '', url = ''] = request.split(' ')
    const { schema, answer, says } = kinds[kind]
    app.route({
      method,
      url,
      config:
        audience === 'open'
          ? { access: 'open' }
          : { access: 'session', administers: false, beforePasswordChange: audience === 'everywhere' },
      schema: {
        operationId,
        tags: ['compat'],
        summary,
        description: says,
        ...(parameter === undefined ? {} : { params: id(parameter) }),
        ...(kind === 'page' ? { querystring: CompatNoPageQuery } : {}),
        response: { 200: schema },
      },
      handler: async ({ query }) => answer(query as PagingParameters),
    })
  }
}

export default route
