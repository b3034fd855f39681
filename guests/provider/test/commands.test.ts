import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { changeSettings, examine } from '../../../test/helpers/processes/doctor.js'
import { freePort } from '../../../test/helpers/processes/free-port.js'
import { eventually } from '../../../test/helpers/processes/process.js'
import { serve } from '../../../test/helpers/service/serve.js'
import { createCli, expectRefusal } from '../../../test/helpers/processes/cli.js'
import { knownApplications, settingsOfKnown } from '../shared/known.js'
import { isRedirectUri } from '../clients/redirect-uri.js'

const grafana = 'client add --id grafana --name Grafana --redirect-uri https://grafana.example.com/login'

test('applications by command', async (t) => {
  const cli = await createCli(t)
  t.match(await cli.done('client list'), /^No applications\./)
  const added = await cli.done(grafana)
  const [, secret = ''] = /client secret {2}([\w-]{43})\n/.exec(added) ?? []
  t.match(added, /^Added the application Grafana\. It needs:\n {2}issuer .*\n {2}client id +grafana\n/)
  t.equal(await cli.done(grafana), 'The application grafana is there already, as asked.\n', 'a deployment repeats it')
  expectRefusal(t, await cli.run(`${grafana} --pkce optional`), 1, /with another pkce/)
  const spa = await cli.json('client add --name Page --type public --redirect-uri https://page.example.com/')
  t.notOk('secret' in spa)
  t.match(spa, { type: 'public', isNew: true, hasSecret: false })

  t.match(await cli.done('client edit grafana --roles staff,board --refresh-tokens session'), /^Changed/)
  t.match(await cli.json('client show grafana'), {
    access: { tenants: [], roles: ['staff', 'board'] },
    refreshTokens: 'session',
    redirectUris: ['https://grafana.example.com/login'],
    lastError: null,
  })
  t.match(await cli.done('client show grafana'), /roles, one of +staff, board\n/)
  const next = (await cli.done('client secret grafana --overlap-days 7')).trim()
  t.match(next, /^[\w-]{43}$/)
  t.not(next, secret)
  const everything = JSON.stringify(cli.content())
  for (const one of [secret, next]) t.notOk(everything.includes(one), 'a dump has no secret')

  expectRefusal(t, await cli.run('client delete grafana'), 2, /--yes/)
  t.equal(await cli.done('client delete grafana --yes'), 'Deleted the application Grafana.\n')
  expectRefusal(t, await cli.run('client show grafana'), 1, /./)
})

test('what is known of an application is filled in, and said otherwise where it is told otherwise', async (t) => {
  const cli = await createCli(t)
  const line = 'client add --for gitea --url https://git.example.com/code'
  t.match(await cli.json(line), {
    ...{ id: 'gitea', name: 'Gitea', pkce: 'optional', homeUrl: 'https://git.example.com/code/' },
    redirectUris: ['https://git.example.com/code/user/oauth2/rollcall/callback'],
  })
  t.match(await cli.done(line), /is there already, as asked/)
  t.match(await cli.json('client add --for proxmox --url https://pve.example.com:8006/ --name PVE --id pve'), {
    ...{ id: 'pve', name: 'PVE', pkce: 'required', redirectUris: ['https://pve.example.com:8006'] },
  })
  for (const known of Object.values(knownApplications)) {
    const { redirectUris, postLogoutRedirectUris = [] } = settingsOfKnown(known, 'https://app.example.com')
    for (const uri of [...redirectUris, ...postLogoutRedirectUris]) t.ok(isRedirectUri(uri, 'confidential'), uri)
  }
  expectRefusal(t, await cli.run('client add --for grafana'), 1, /Give --url/)
  expectRefusal(t, await cli.run('client add --for grafana --url grafana'), 1, /Give --url/)
  expectRefusal(t, await cli.run('client add --for nobody --url https://a.example'), 2, /nobody.*grafana/)
  expectRefusal(t, await cli.run('client add --name A --url https://a.example'), 1, /belongs to --for/)
})

test('what an application would get is shown with what is left out', async (t) => {
  const cli = await createCli(t)
  await cli.done('client add --for grafana --url https://grafana.example.com --roles staff --scopes openid,email')
  await cli.done(
    'user add --username alice --real-name Alice --email alice@example.com --password-stdin --no-force-change',
    {
      input: 'correct horse battery',
    },
  )
  const text = await cli.done('client claims grafana --user alice')
  t.match(text, /none of the roles that the application needs/)
  t.match(text, /\nsub +\d+\n/)
  t.match(text, /\nemail +nobody has verified it/)
  t.match(await cli.json('client claims grafana --user alice'), { refusal: 'role', idToken: { sub: /\d+/ } })
  expectRefusal(t, await cli.run('client claims grafana'), 2, /--user/)
  expectRefusal(t, await cli.run('client claims nobody --user alice'), 1, /./)
  expectRefusal(t, await cli.run('client claims grafana --user nobody'), 1, /./)
})

test('an application that is older than a setting has the preset of it', async (t) => {
  const cli = await createCli(t)
  await cli.done(grafana)
  const file = new Sqlite(join(cli.directory, 'rollcall.db'))
  file.exec("update provider_clients set metadata = json_remove(metadata, '$.consent', '$.access')")
  file.close()
  t.match(await cli.json('client show grafana'), { consent: 'once', access: { tenants: [], roles: [] } })
})

test('what a command refuses says why', async (t) => {
  const cli = await createCli(t)
  const rows: [line: string, code: 1 | 2, message: RegExp][] = [
    ['client add --redirect-uri https://a.example', 2, /--name/],
    ['client add --name A', 1, /--redirect-uri/],
    ['client add --name A --redirect-uri http://a.example/x', 1, /must be an address that begins with https/],
    ['client add --name A --redirect-uri https://*.a.example/x', 1, /without \*/],
    ['client add --name A --redirect-uri https://a.example/x#y', 1, /must be an address/],
    ['client add --name A --redirect-uri com.example.app:/x', 1, /only for native/],
    ['client add --name A --type public --redirect-uri https://a.example/ --pkce optional', 1, /confidential/],
    ['client add --name A --redirect-uri https://a.example/ --scopes profile', 1, /must have openid/],
    ['client add --name A --redirect-uri https://a.example/ --scopes openid,mail', 2, /mail is none of/],
    ['client add --name A --redirect-uri https://a.example/ --id a/b', 1, /letters, digits/],
    ['client add --name A --redirect-uri https://a.example/ --tenant Nowhere', 1, /./],
    [
      'client add --name A --redirect-uri https://a.example/ --resources https://a.example/mcp',
      1,
      /none of provider\.resources/,
    ],
    ['client add --name A --service-account nobody', 1, /not a known user/],
    ['client add --name A --service-account admin', 1, /must be the id of a service account/],
    ['client edit nobody --name B', 1, /./],
    ['client secret nobody', 1, /./],
  ]
  for (const [line, code, message] of rows) expectRefusal(t, await cli.run(line), code, message)
  t.same(await cli.json('client list'), [])
  await cli.done('client add --name App --type native --redirect-uri com.example.app:/back')
  await cli.done('client add --name Local --redirect-uri http://127.0.0.1:8080/back')
  const found = (await cli.json('client list')) as { id: string; name: string }[]
  t.equal(found.length, 2)
  expectRefusal(t, await cli.run(`client edit ${found[0]?.id ?? ''}`), 1, /Nothing to change/)
})

test('services and a service account by command', async (t) => {
  const cli = await createCli(t)
  const notes = 'https://notes.example.com/mcp'
  const resources = [{ id: notes, name: 'Notes', scopes: ['notes:read'] }]
  changeSettings(cli, { issuer: 'https://id.example.com', provider: { enabled: true, resources } })
  await cli.done('user add --username nightly --service')
  const line = `client add --id nightly --name Nightly --service-account nightly --resources ${notes}`
  t.match(await cli.done(line), /client secret/)
  t.match(await cli.done(line), /there already, as asked/)
  t.match(await cli.json('client show nightly'), { resources: [notes], redirectUris: [], serviceAccount: Number })
  t.match(await cli.done('client show nightly'), /tokens for +https:\/\/notes\.example\.com\/mcp\nservice account +\d/)
  expectRefusal(t, await cli.run('client edit nightly --service-account none'), 1, /at least one address/)
  await cli.done('client edit nightly --redirect-uri https://a.example/back --service-account none')
  t.match(await cli.json('client show nightly'), { serviceAccount: null })
})

test('a start without what single sign-on needs names all of it', async (t) => {
  const cli = await createCli(t)
  const configure = (settings: object) => writeFileSync(join(cli.directory, 'config.json'), JSON.stringify(settings))
  configure({ issuer: 'rollcall', provider: { enabled: true }, pages: { signIn: false } })
  expectRefusal(t, await cli.run('client list'), 1, /issuer \(.*must be the address[^]*provider\.signInPage/)
  configure({ issuer: 'http://id.example.com', provider: { enabled: true } })
  expectRefusal(t, await cli.run('client list'), 1, /must begin with https/)
  configure({ issuer: 'https://id.example.com/a', publicUrl: 'https://id.example.com/b', provider: { enabled: true } })
  expectRefusal(t, await cli.run('client list'), 1, /publicUrl .*same address as issuer/)

  const scopes = ['read']
  const more: [provider: object, message: RegExp, rest?: object][] = [
    [{ resources: [{ id: 'notes', name: 'Notes', scopes }] }, /resources\.0\.id .*must be an address/],
    [{ resources: [{ id: 'http://notes.example.com', name: 'Notes', scopes }] }, /resources\.0\.id .*http is for/],
    [{ resources: [{ id: 'https://notes.example.com/#x', name: 'Notes', scopes }] }, /resources\.0\.id .*without #/],
    [{ resources: [{ id: 'https://Notes.example.com/', name: 'Notes', scopes }] }, /resources\.0\.id .*must be/],
    [{ resources: [{ id: 'https://n.example', name: 'Notes', scopes: [] }] }, /resources\.0\.scopes /],
    [{ resources: [{ id: 'https://n.example', name: 'Notes', scopes: ['a b'] }] }, /resources\.0\.scopes\.0 /],
    [{ resources: [{ id: 'https://n.example', name: 'Notes', scopes: ['email'] }] }, /email is a scope of OpenID/],
    [
      {
        resources: [
          { id: 'https://n.example', name: 'Notes', scopes },
          { id: 'https://n.example/', name: 'Notes', scopes },
        ],
      },
      /resources\.1\.id .*is there twice/,
    ],
    [
      { resources: [{ id: 'https://n.example/', name: 'Notes', scopes }] },
      /resources\.0\.id .*is an audience/,
      { clients: { pc: { audiences: ['https://n.example'] } } },
    ],
    [{ clientDocuments: ['https://a.example/app.json'] }, /provider\.resources .*must name a service/],
    [{ clientDocuments: ['http://a.example/app.json'] }, /clientDocuments\.0 .*must be an address with a path/],
    [{ clientDocuments: ['https://a.example'] }, /clientDocuments\.0 .*must be an address with a path/],
    [{ clientDocuments: ['https://a.example/'] }, /clientDocuments\.0 .*must be an address with a path/],
    [{ clientDocuments: ['https://a.example/*'] }, /clientDocuments\.0 .*must be an address with a path/],
  ]
  for (const [provider, message, rest = {}] of more) {
    configure({ issuer: 'https://id.example.com', provider: { enabled: true, ...provider }, ...rest })
    expectRefusal(t, await cli.run('client list'), 1, message)
  }
})

test('doctor asks as an application would, and names what was refused', async (t) => {
  const cli = await createCli(t)
  const lines = async () => (await examine(t, cli)).filter(({ check }) => check === 'single sign-on')
  t.same(await lines(), [], 'nothing without applications')
  await cli.done(grafana)
  t.match(await lines(), [{ level: 'warning', message: /provider\.enabled is false/ }])

  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  changeSettings(cli, { issuer, provider: { enabled: true } })
  t.match((await lines())[0], { level: 'fault', message: /cannot be read/ })
  const server = await serve(t, cli.directory, { port })
  t.match(await lines(), [
    { level: 'ok', message: /is what applications need/ },
    { level: 'ok', message: '1 application' },
  ])
  await fetch(`${server.origin}/oidc/authorize?client_id=grafana&redirect_uri=https://x.example&response_type=code`)
  const refused = await eventually('the refusal to be written down', async () => {
    const found = await lines()
    return found.length === 3 ? found : undefined
  })
  t.match(refused[2], {
    level: 'warning',
    message: /^grafana was refused .*redirect_uri/,
    advice: /client show grafana/,
  })
  changeSettings(cli, { issuer: `${issuer}/auth`, provider: { enabled: true } })
  t.match((await lines())[0], { level: 'fault', message: /answers 404/ })
  changeSettings(cli, { issuer: `http://localhost:${port}`, provider: { enabled: true } })
  t.match((await lines())[0], { level: 'fault', message: /says issuer http:\/\/127/ })
})
