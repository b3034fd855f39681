import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf } from '../../../lib/actor.js'
import type { FirstAnswer } from '../../../schemas/first-answers.js'
import { ref } from '../../../schemas/ref.js'
import {
  ApplicationChange,
  ApplicationClaims,
  ApplicationPage,
  ApplicationQuery,
  ApplicationRecord,
  ApplicationSecret,
  ClaimsQuery,
  ClientParameters as params,
  NewApplication,
  NewSecret,
} from '../schemas.js'

const tags = ['applications']
const noApplication: FirstAnswer = {
  reason: 'not_found',
  until: 'there is an application of this id: `POST /system/client` adds one',
}

const route: FastifyPluginAsyncTypebox = async (app) => {
  const { applications } = app
  const { managed } = applications

  app.get(
    '/system/client/page',
    {
      config: { access: 'system:client:list' },
      schema: {
        operationId: 'getApplicationPage',
        tags,
        summary: 'A page of applications',
        description: 'Those of the tenant of the caller; a system administrator sees all. By name.',
        querystring: ApplicationQuery,
        response: { 200: ref(ApplicationPage) },
      },
    },
    (request) => managed.page(actorOf(request), request.query),
  )

  app.get(
    '/system/client/:id',
    {
      config: { access: 'system:client:list', errors: ['not_found'], firstAnswer: noApplication },
      schema: {
        operationId: 'getApplication',
        tags,
        summary: 'One application, and what it was refused last',
        params,
        response: { 200: ref(ApplicationRecord) },
      },
    },
    (request) => managed.get(actorOf(request), request.params.id),
  )

  app.post(
    '/system/client',
    {
      config: { access: 'system:client:add', errors: ['client_exists', 'too_many_clients'] },
      schema: {
        operationId: 'addApplication',
        tags,
        summary: 'Add an application that signs people in here',
        description:
          'A confidential one gets a secret, which is shown this once. Whoever sees one tenant only adds applications for people of that tenant. A tenant has at most 200.',
        body: ref(NewApplication),
        response: { 200: ref(ApplicationRecord) },
      },
    },
    (request) => managed.add(actorOf(request), request.body),
  )

  app.patch(
    '/system/client/:id',
    {
      config: { access: 'system:client:edit', errors: ['not_found'], firstAnswer: noApplication },
      schema: {
        operationId: 'changeApplication',
        tags,
        summary: 'Change an application, with immediate effect',
        description: 'One that is open to people of several tenants is changed by system administrators only.',
        params,
        body: ref(ApplicationChange),
        response: { 200: ref(ApplicationRecord) },
      },
    },
    (request) => managed.change(actorOf(request), request.params.id, request.body),
  )

  app.post(
    '/system/client/:id/secret',
    {
      config: { access: 'system:client:edit', errors: ['not_found'], firstAnswer: noApplication },
      schema: {
        operationId: 'renewApplicationSecret',
        tags,
        summary: 'Make a new secret of an application',
        description: 'It is shown this once. The one of before ends at once, or after `overlapDays`.',
        params,
        body: ref(NewSecret),
        response: { 200: ref(ApplicationSecret) },
      },
    },
    async (request) => ({
      secret: await applications.renewSecret(actorOf(request), request.params.id, request.body.overlapDays ?? 0),
    }),
  )

  app.delete(
    '/system/client/:id',
    {
      config: { access: 'system:client:delete', errors: ['not_found'], firstAnswer: noApplication },
      schema: {
        operationId: 'deleteApplication',
        tags,
        summary: 'Delete an application with all its tokens, with immediate effect',
        params,
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      await applications.remove(actorOf(request), request.params.id)
      return null
    },
  )

  app.get(
    '/system/client/:id/claims',
    {
      config: { access: 'system:client:list', errors: ['not_found'], firstAnswer: noApplication },
      schema: {
        operationId: 'getApplicationClaims',
        tags,
        summary: 'What an application would get to know of a user now',
        description:
          'If it asked for all that it may, with what it would not get, and why. Phone numbers and e-mail addresses are masked for callers without `system:user:contact`.',
        params,
        querystring: ClaimsQuery,
        response: { 200: ref(ApplicationClaims) },
      },
    },
    (request) => managed.claims(actorOf(request), request.params.id, request.query.userId),
  )
}

export default route
