import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { test } from 'tap'
import { openapiDocument } from '../../cli/openapi-document.js'
import { builtInAuthTypes } from '../helpers/documents/document.js'
import { startServer, type ServerOptions } from '../helpers/service/server.js'
import { file, text } from './committed-openapi.js'

test('openapi.json is what the routes and schemas say', async (t) => {
  t.equal(text, await openapiDocument(), 'run npm run openapi and commit the file')
})

const provider = { platform: 'example', kind: 'github', clientId: 'none', clientSecret: 'none' }
const everything = {
  mail: { url: 'smtp://localhost' },
  sms: { sender: 'webhook', webhook: { url: 'https://example.com/sms', secret: 'none' } },
  federation: { providers: [{ ...provider, redirectUris: ['https://example.com/social'] }] },
}
for (const [name, options] of Object.entries<ServerOptions>({
  'as the first start wrote it': {},
  'with every way to sign in': { settings: everything },
  'without captchas': { settings: { captcha: { mode: 'never' } } },
  'with captchas by proof of work': { settings: { captcha: { type: 'pow', mode: 'always' } } },
  'with rate limits': { environment: { RATE_LIMITS: 'on' } },
  'with front ends of other origins': { environment: { CORS_ORIGINS: 'https://console.example.com' } },
  'for development': { environment: { ROLLCALL_DEV_ECHO: '1' } },
})) {
  test(`the served document of an installation ${name} is openapi.json but for servers`, async (t) => {
    const server = await startServer(t, options)
    const { servers, ...served } = JSON.parse((await server.call('GET', '/openapi.json')).text) as Record<string, any>
    const committed = JSON.parse(text) as Record<string, any>
    t.strictSame({ ...served, servers: committed['servers'] }, committed)
    t.equal(servers.length, 1)
    if ('settings' in options && options.settings === everything)
      t.strictSame(
        server.app.login
          .all()
          .filter(({ step, verify }) => step === 'second' || verify)
          .map(({ name }) => name),
        builtInAuthTypes,
        'every method that the document names can be offered',
      )
  })
}

test('the schema of OpenAPI accepts the document', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(text) as Record<string, unknown>)
  t.same(errors ?? [], [])
  t.ok(valid)
  t.equal(validator.version, '3.1')
})

for (const ruleset of ['spec', 'minimal', 'recommended'] as const) {
  test(`the ${ruleset} rules of Redocly find no error`, async (t) => {
    const config = await createConfig({ extends: [ruleset] })
    const problems = await lintFromString({ source: text, absoluteRef: file, config })
    const errors = problems.filter(({ severity }) => severity === 'error')
    t.same(
      errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })
}
