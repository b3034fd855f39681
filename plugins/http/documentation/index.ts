import swagger from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import manifest from '../../../package.json' with { type: 'json' }
import { isAdministration } from '../access/administers.js'
import { inOrder } from './order.js'
import type { Reason } from '../../../schemas/problems.js'
import type { Document } from './document.js'
import { addExamples } from './examples.js'
import type { FirstAnswer } from '../../../schemas/first-answers.js'
import {
  createFirstAnswerOf,
  describeFirstAnswer,
  ofOperations,
  type OperationsByFirstAnswer,
} from './first-answers.js'
import { headersOf, type AnswerHeader } from './headers.js'
import { createKeptDocument, pageServer, type KeptDocument } from './kept-document.js'
import { describeLogin, loginExampleTexts } from './login-shapes.js'
import { nameShapes, type OpenValues } from './named-shapes.js'
import { refusalsOf } from './refusals.js'
import { shareAnswers } from './shared-answers.js'
import { keepUsedShapes } from './used-components.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reasons with which the handler may refuse. Those of the access policy and the limit are added. */
    errors?: Reason[]
    /** Headers that the handler sets, for the document. */
    answerHeaders?: AnswerHeader[]
    /** What the document says of a route whose requests and answers are those of another standard: nothing of it is validated, nothing added. */
    otherStandard?: OtherStandard
    /** Why a new installation refuses the example; that of the house is in `first-answers.ts`. */
    firstAnswer?: FirstAnswer
  }
  interface FastifyInstance {
    /** The documents by their address; `openapi.json` is the first. */
    documents: ServedDocument[]
    /** Adds a tag to `openapi.json`. */
    addTag: (tag: Tag, enumerations?: OpenValues['further']) => void
    /** Takes the operations with these tags out of `openapi.json`; they are in a document of their own, which `/docs` lists, too. */
    addDocument: (document: OwnDocument) => Promise<void>
  }
}

/** Parts of the schema of a route. */
export interface OtherStandard {
  querystring?: unknown
  body?: unknown
  response: unknown
}

/** A tag with what its operations are for. */
interface Tag {
  name: string
  description: string
}

interface OwnDocument {
  /** The document is `/openapi-NAME.json`. */
  name: string
  title: string
  description: string
  tags: Tag[]
  /** Those of this document alone. */
  enumerations: OpenValues['further']
  firstAnswers: OperationsByFirstAnswer
}

interface ServedDocument {
  path: string
  title: string
  read: () => object
  kept: KeptDocument
}

const description = `Sign-in, tokens, permissions and a user list.

Every answer is \`{ code, message, data, timestamp }\`; \`code\` equals the HTTP status and is 200 on success. Errors carry \`data.reason\`, a stable word, and for bad input \`data.violations\`.

To try it here, press **Sign in** at the top. Where there is no such button:

1. Open \`POST /auth/login\`, fill in the password and press **Execute**. The first start printed the password of \`admin\`, unless \`ROLLCALL_ADMIN_PASSWORD\` set it.
2. Copy \`accessToken\` from the answer, press **Authorize** and paste it below **bearer**, which also takes an API token. Leave **client** empty: it is for services.
3. If the answer has \`"forcePasswordChange": true\`, call \`POST /auth/changePassword\` next. Until then most operations answer 403 \`password_change_required\`. The token stays valid.

After failed tries the sign-in answers 400 \`captcha_required\`: call \`GET /auth/captcha\`, read the picture below its answer, and sign in with \`code\` (the letters) and \`codeKey\` beside the password. A successful sign-in ends this.`

const tags: Tag[] = [
  { name: 'auth', description: 'Sign-in, tokens and the signed-in user' },
  { name: 'social', description: 'Sign-in by identity providers' },
  { name: 'users', description: 'The user list' },
  { name: 'management', description: 'Users, roles, tenants, sessions and the trail of changes' },
  { name: 'service', description: 'Health and keys' },
]

/** The body of a route that takes a file. It is not validated: the handler reads it. */
const uploadBody = (types: string[]) => ({
  content: Object.fromEntries(
    types.map((type) => [
      type,
      {
        schema: type.startsWith('multipart/')
          ? { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }
          : { type: 'string' },
      },
    ]),
  ),
})

/** Adds the required permission, what the example answers first and the possible errors to the schema of a route. */
const describeRoute = (
  { schema, ...route }: RouteOptions,
  prefix: string,
  firstAnswerOf: (operationId?: string) => string | undefined,
): FastifySchema => {
  if (!schema) return { hide: true }
  if (route.config?.otherStandard) return { ...schema, security: [], ...route.config.otherStandard }
  const {
    access = 'open',
    beforePasswordChange = false,
    tokens = access.includes(':'),
    limit,
    errors = [],
    answerHeaders = [],
    firstAnswer,
    upload,
  } = route.config ?? {}
  const { params, querystring, response, security } = schema
  const requiresPasswordChange = access !== 'open' && !beforePasswordChange
  // Fastify parses the body of every such request, even if the route does not use it.
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(String(route.method))
  const hasInput = hasBody || [params, querystring].some((part) => part !== undefined)
  const requirement = access.includes(':') ? `Requires the permission \`${access}\`.` : undefined
  return {
    ...schema,
    ...(upload ? { body: uploadBody(upload) } : {}),
    description: [
      schema.description,
      requirement,
      firstAnswer ? describeFirstAnswer(firstAnswer) : firstAnswerOf(schema.operationId),
    ]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    security: security ?? (access === 'open' ? [] : [{ bearer: [] }]),
    response: {
      200: {
        description: 'Success',
        ...((response as Record<string, object> | undefined)?.['200'] ?? {}),
        headers: headersOf(200, limit !== undefined, answerHeaders),
      },
      ...refusalsOf({
        ...{ access, limit, errors, requiresPasswordChange, tokens, hasBody, hasInput },
        isAdministration: isAdministration(route, prefix),
      }),
    },
  }
}

export interface DocumentationOptions {
  /** False builds the OpenAPI documents when they are first asked for: for tests, which start in less time and do not mind the wait. */
  documentsAtStart?: boolean
}

/** The OpenAPI documents, derived from the schemas and policies of the routes. `routes/docs.ts` shows them. */
export default fp<DocumentationOptions>(
  async (app, { documentsAtStart = true }) => {
    const further: OwnDocument[] = []
    app.decorate('documents', [])
    const register = async (
      { path, decorator }: { path: string; decorator: string },
      { title, description, tags, enumerations, firstAnswers }: Omit<OwnDocument, 'name'>,
      isShown: (route: RouteOptions) => boolean,
    ) => {
      const firstAnswerOf = createFirstAnswerOf(firstAnswers)
      await app.register(swagger, {
        decorator,
        openapi: {
          openapi: '3.1.0',
          info: {
            title,
            description,
            version: manifest.version,
            license: { name: manifest.license, identifier: manifest.license },
          },
          // The paths in the document do not contain the prefix.
          servers: [{ url: app.prefix || '/' }],
          tags,
          components: {
            securitySchemes: {
              bearer: {
                type: 'http',
                scheme: 'bearer',
                bearerFormat: 'JWT',
                description:
                  'The `accessToken` of `POST /auth/login`; or, for scripts and other services, an API token, which begins with `rct_`: operations take it that name `token_ended` among their refusals, all others answer 403 `token_not_allowed`',
              },
              client: {
                type: 'http',
                scheme: 'basic',
                description:
                  'For `POST /auth/introspect` only: id and secret of a service in the setting `introspection.clients`. User name and password of a person do nothing here',
              },
            },
          },
        },
        refResolver: {
          buildLocalReference: ({ $id }, _base, _fragment, index) =>
            typeof $id === 'string' ? $id : `def-${String(index)}`,
        },
        transform: ({ url, route }) => ({
          schema: isShown(route) ? describeRoute(route, app.prefix, firstAnswerOf) : { hide: true },
          url,
        }),
        transformObject: (documented) => {
          if (!('openapiObject' in documented)) return documented.swaggerObject
          documented.openapiObject.servers = [pageServer]
          // Operations are complete here. What follows needs all of them, or what `@fastify/swagger` cannot write.
          const document = documented.openapiObject as unknown as Document
          document.paths = inOrder(document.paths)
          // Plugins register methods until the app is ready. Those that are not configured are there, too.
          const methods = app.login.all()
          describeLogin(document, methods)
          // The library drops the description of a field that is a reference.
          const authTypes = Object.fromEntries(methods.map(({ name, meaning }) => [name, meaning]))
          const userClients = Object.keys(app.installation.settings.clients)
          nameShapes(document, { authTypes, userClients, further: enumerations })
          // All shapes are in each document at first.
          keepUsedShapes(document)
          shareAnswers(document)
          // Made of the examples of the fields of named shapes.
          addExamples(document, loginExampleTexts(methods))
          return documented.openapiObject
        },
      })
      const read = app.getDecorator<() => object>(decorator)
      const kept = createKeptDocument(read)
      app.documents.push({ path, title, read, kept })
      // This takes too long to block the event loop during a request.
      if (documentsAtStart) app.addHook('onReady', async () => kept.prepare())
    }
    const isIn = ({ schema }: RouteOptions, { tags }: OwnDocument) =>
      tags.some(({ name }) => schema?.tags?.includes(name))
    const allTags = [...tags]
    const enumerations: OpenValues['further'] = {}
    app.decorate('addTag', (tag, ofGuest = {}) => {
      allTags.push(tag)
      Object.assign(enumerations, ofGuest)
    })
    const main = { title: 'Rollcall', description, tags: allTags, enumerations, firstAnswers: ofOperations }
    await register(
      { path: '/openapi.json', decorator: 'swagger' },
      main,
      (route) => !further.some((one) => isIn(route, one)),
    )
    app.decorate('addDocument', async (document) => {
      further.push(document)
      const names = { path: `/openapi-${document.name}.json`, decorator: `openapi-${document.name}` }
      await register(names, document, (route) => isIn(route, document))
    })
  },
  { name: 'http/documentation' },
)
