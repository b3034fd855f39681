import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import manifest from '../../../package.json' with { type: 'json' }
import { builtInAuthTypes } from '../../../schemas/login.js'
import type { Reason } from '../../../schemas/problems.js'
import { maySkipPasswordChange } from '../access/password-change.js'
import { errorAnswers } from './answers.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reasons with which the handler itself may refuse; those of the policy follow from it. */
    errors?: Reason[]
  }
}

const description = `Sign-in, tokens, permissions and a user list.

Every answer is \`{ code, message, data, timestamp }\`; \`code\` equals the HTTP status and is 200 on success. Errors carry \`data.reason\`, a stable word, and for bad input \`data.violations\`.

To try it here: call \`POST /auth/login\`, copy \`accessToken\`, press **Authorize** and paste it.`

/** What the page of Swagger UI may load: its own files, the styles that it writes into its elements, inlined pictures. */
const pagePolicy = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'frame-ancestors': "'none'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'style-src': "'self' 'unsafe-inline'",
}

/** Adds to a route's schema what follows from its policy: who may call it, and every error it may answer. */
const describeRoute = ({ schema, ...route }: RouteOptions, path: string): FastifySchema => {
  if (!schema) return { hide: true }
  const { access = 'open', limit, errors = [] } = route.config ?? {}
  const { params, querystring, response, security } = schema
  const passwordFirst = access !== 'open' && !maySkipPasswordChange(path)
  // Whether or not a route reads a body, one that is sent is parsed.
  const hasBody = route.method === 'POST'
  const hasInput = hasBody || [params, querystring].some((part) => part !== undefined)
  const needs = access.includes(':') ? `Needs the permission \`${access}\`.` : undefined
  return {
    ...schema,
    description: [schema.description, needs].filter((text) => text !== undefined).join('\n\n'),
    security: security ?? (access === 'open' ? [] : [{ bearer: [] }]),
    response: {
      200: { description: 'Success', ...((response as Record<string, object> | undefined)?.['200'] ?? {}) },
      ...errorAnswers({ access, limit, errors, passwordFirst, hasBody, hasInput }),
    },
  }
}

/** The OpenAPI document, derived from the schemas and policies of the routes, and Swagger UI at `/docs`. */
export default fp(
  async (app) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Rollcall',
          description,
          version: manifest.version,
          license: { name: manifest.license, identifier: manifest.license },
        },
        // Paths are told from here on: below a prefix they stay the same.
        servers: [{ url: app.prefix || '/', description: 'This server' }],
        tags: [
          { name: 'auth', description: 'Sign-in, tokens and the signed-in user' },
          { name: 'social', description: 'Sign-in by identity providers' },
          { name: 'users', description: 'The user list' },
          { name: 'service', description: 'Health and keys' },
        ],
        components: {
          securitySchemes: {
            bearer: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'JWT',
              description: 'The `accessToken` of a sign-in',
            },
          },
        },
      },
      refResolver: {
        buildLocalReference: ({ $id }, _base, _fragment, index) =>
          typeof $id === 'string' ? $id : `def-${String(index)}`,
      },
      transform: ({ url, route }) => ({ schema: describeRoute(route, url.slice(app.prefix.length)), url }),
      transformObject: (documented) => {
        if (!('openapiObject' in documented)) return documented.swaggerObject
        // The same whatever the configuration switches on. Other plugins may have registered further methods.
        const login = documented.openapiObject.components?.schemas?.['LoginRequest'] as
          { properties: { authType: { enum?: string[] } } } | undefined
        if (login) login.properties.authType.enum = [...new Set([...builtInAuthTypes, ...app.login.authTypes()])]
        return documented.openapiObject
      },
    })
    await app.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: pagePolicy,
      theme: {
        title: 'Rollcall',
        css: [{ filename: 'rollcall.css', content: '.swagger-ui .topbar { display: none }' }],
      },
      uiConfig: {
        persistAuthorization: true,
        displayRequestDuration: true,
        tryItOutEnabled: true,
        docExpansion: 'list',
      },
    })
    // The document is put together once, which takes longer than a request may hold the event loop.
    app.addHook('onReady', async () => void app.swagger())
  },
  { name: 'documentation', dependencies: ['login', 'security-headers', 'validation'] },
)
