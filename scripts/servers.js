// Which servers the tests find on this machine. Tests that need others are skipped, and this says so.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import pg from 'pg'

const postgres = process.env['ROLLCALL_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const postgresAnswers = async () => {
  const client = new pg.Client({ connectionString: postgres, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/**
 * One line for each part of the tests that does not run.
 * @param {boolean} isLong Whether the tests that take long are run, too.
 */
export const skippedParts = async (isLong) => {
  const lines = []
  if (!(await postgresAnswers())) {
    lines.push(`all tests on PostgreSQL: none answers at ${new URL(postgres).host} (ROLLCALL_TEST_POSTGRES_URL)`)
  }
  if (globSync('/usr/lib/postgresql/*/bin/initdb').length === 0) {
    lines.push('faults of PostgreSQL: there is no initdb (package postgresql)')
  }
  if (!['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].some((path) => existsSync(path))) {
    lines.push('poolers before PostgreSQL: there is no pgbouncer (package pgbouncer)')
  }
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    lines.push('tests of Redis: there is no redis-server (package redis-server)')
  }
  if (spawnSync('oathtool', ['--version']).status !== 0) {
    lines.push('authenticator apps by a second implementation: there is no oathtool (package oathtool)')
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
  if (spawnSync('go', ['version']).status !== 0) {
    lines.push('the recipe in Go: there is no go (package golang-go)')
  }
  if (spawnSync('/usr/bin/python3', ['-c', 'import fastapi, uvicorn, jwt, cryptography']).status !== 0) {
    lines.push('the recipe in Python: there is no FastAPI (packages python3-fastapi, python3-uvicorn, python3-jwt)')
  }
  return lines.map((line) => `Skipped: ${line}\n`)
}
