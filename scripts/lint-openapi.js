// Redocly's and Spectral's rules for openapi.json, of redocly.yaml and .spectral.yaml; warnings fail as errors do. Redocly's own
// command brings a web server and a page builder, so this calls its library.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { formatProblems, lint, loadConfig } from '@redocly/openapi-core'

const config = await loadConfig({ configPath: 'redocly.yaml' })
const problems = await lint({ ref: 'openapi.json', config })
formatProblems(problems, { format: 'stylish', totals: { errors: 0, warnings: 0, ignored: 0 }, version: '' })

const spectral = 'test/fixtures/clients/node_modules/.bin/spectral'
if (!existsSync(spectral)) {
  process.stderr.write('Spectral is not installed: run `npm ci --prefix test/fixtures/clients` and try again.\n')
  process.exit(1)
}
const { status } = spawnSync(spectral, ['lint', 'openapi.json', '--fail-severity=hint'], { stdio: 'inherit' })
process.exitCode = problems.length > 0 ? 1 : (status ?? 1)
