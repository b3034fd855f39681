// Which servers and programs the tests find on this machine. Tests that need others are skipped, and this says so.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import pg from 'pg'

/** Programs whose paths tests read from variables: how packages call them, and folders that are often not in `PATH`. */
const programs = [
  {
    variable: 'ROLLCALL_TEST_CHROMIUM',
    part: 'pages and /docs in a browser',
    // The shell draws the same pages and starts twice as fast.
    names: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'Google Chrome',
      'Chromium',
    ],
    folders: [
      '/snap/bin',
      '/Applications/Google Chrome.app/Contents/MacOS',
      '/Applications/Chromium.app/Contents/MacOS',
    ],
    missing: 'there is no Chromium (apt-get install chromium-headless-shell)',
  },
  {
    variable: 'ROLLCALL_TEST_NGINX',
    part: 'nginx before the service',
    names: ['nginx'],
    folders: ['/usr/sbin', '/usr/local/sbin'],
    missing: 'there is no nginx (apt-get install nginx-light)',
  },
  {
    variable: 'ROLLCALL_TEST_CADDY',
    part: 'Caddy before the service',
    names: ['caddy'],
    folders: [],
    missing: 'there is no caddy (apt-get install caddy)',
  },
]

/**
 * Sets the variables of programs that are found and not named, and those of programs that are not there, or are `off`, to nothing. Returns a line for
 * each of the latter.
 */
const findPrograms = () =>
  programs.flatMap(({ variable, part, names, folders, missing }) => {
    const named = process.env[variable]
    if (named === 'off') {
      process.env[variable] = ''
      return [`${part}: ${variable} is off`]
    }
    if (named !== undefined && existsSync(named)) return []
    if (named) {
      process.stderr.write(
        `${variable} names ${named}, which is not there. Leave it out to let the program be found.\n`,
      )
      process.exit(2)
    }
    const places = [...(process.env['PATH'] ?? '').split(delimiter), ...folders]
    const found = places.flatMap((place) => names.map((name) => join(place, name))).find((path) => existsSync(path))
    process.env[variable] = found ?? ''
    return found === undefined ? [`${part}: ${missing}`] : []
  })

const postgres = process.env['ROLLCALL_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Why there are no tests on PostgreSQL; undefined where it lets them in. */
const faultOfPostgres = async () => {
  const client = new pg.Client({ connectionString: postgres, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    return undefined
  } catch (error) {
    const place = new URL(postgres).host
    // A code of PostgreSQL, or its client wants a password: it answers.
    const isRefused =
      /^[0-9A-Z]{5}$/.test(String(Reflect.get(Object(error), 'code'))) || String(error).includes('password')
    return isRefused
      ? `that at ${place} lets nobody in by this address: name one with a user who may create databases, ROLLCALL_TEST_POSTGRES_URL=postgres://USER:PASSWORD@HOST/postgres`
      : `none answers at ${place} (apt-get install postgresql, or ROLLCALL_TEST_POSTGRES_URL=postgres://USER:PASSWORD@HOST/postgres)`
  } finally {
    await client.end()
  }
}

/**
 * One line for each part of the tests that does not run, with the command that changes it on Debian and Ubuntu. Tests are told of programs
 * that were found.
 * @param {boolean} isLong Whether the tests that take long are run, too.
 */
export const skippedParts = async (isLong) => {
  const lines = findPrograms()
  const fault = await faultOfPostgres()
  if (fault !== undefined) lines.push(`all tests on PostgreSQL: ${fault}`)
  if (globSync('/usr/lib/postgresql/*/bin/initdb').length === 0) {
    lines.push('faults of PostgreSQL: there is no initdb (apt-get install postgresql)')
  }
  if (!['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].some((path) => existsSync(path))) {
    lines.push('poolers before PostgreSQL: there is no pgbouncer (apt-get install pgbouncer)')
  }
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    lines.push('tests of Redis: there is no redis-server (apt-get install redis-server)')
  }
  if (spawnSync('oathtool', ['--version']).status !== 0) {
    lines.push('authenticator apps by a second implementation: there is no oathtool (apt-get install oathtool)')
  }
  if (!existsSync('test/fixtures/clients/node_modules')) {
    lines.push('generated clients: there are no generators (npm ci --prefix test/fixtures/clients)')
  }
  if (!existsSync('test/fixtures/recipes/node_modules')) {
    lines.push('recipes in JavaScript: there are no packages (npm ci --prefix test/fixtures/recipes)')
  }
  if (isLong && !existsSync('test/fixtures/consoles/node_modules')) {
    lines.push('recipes of admin consoles: there are no packages (npm ci --prefix test/fixtures/consoles)')
  }
  const applications = 'guests/provider/test/fixtures/applications'
  if (isLong && existsSync(applications) && !existsSync(`${applications}/node_modules`)) {
    lines.push(`single sign-on by whole applications: there are no packages (npm ci --prefix ${applications})`)
  }
  if (spawnSync('go', ['version']).status !== 0) {
    lines.push('the recipe in Go: there is no go (apt-get install golang-go)')
  }
  if (spawnSync('/usr/bin/python3', ['-c', 'import fastapi, uvicorn, jwt, cryptography']).status !== 0) {
    lines.push(
      'the recipe in Python: there is no FastAPI (apt-get install python3-fastapi python3-uvicorn python3-jwt python3-cryptography)',
    )
  }
  if (!existsSync('/usr/lib/apache2/modules/mod_auth_openidc.so')) {
    lines.push('single sign-on by Apache: there is no module (apt-get install apache2 libapache2-mod-auth-openidc)')
  }
  if (spawnSync('/usr/bin/python3', ['-c', 'import authlib, flask, requests']).status !== 0) {
    lines.push(
      'single sign-on by Authlib: there is none (apt-get install python3-authlib python3-flask python3-requests)',
    )
  }
  if (spawnSync('/usr/bin/ruby', ['-e', "require 'omniauth_openid_connect'; require 'webrick'"]).status !== 0) {
    lines.push('single sign-on by OmniAuth: there is none (apt-get install ruby-omniauth-openid-connect ruby-webrick)')
  }
  return lines.map((line) => `Skipped: ${line}\n`)
}
