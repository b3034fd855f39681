import { test } from 'tap'
import { environment } from '../../../schemas/environment.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { readCompose, readDeployed } from '../../helpers/processes/deployed.js'
import { printedPassword, startProcess } from '../../helpers/processes/process.js'

const { rollcall, postgres, redis } = readCompose().services
const wanted = [...readDeployed('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
const optional = [...readDeployed('compose.yaml').matchAll(/\$\{(\w+):-\}/g)].map(([, name = '']) => name)

test('every variable of the compose file is one of the service, and the document says which ones to set', async (t) => {
  const known = environment.map(({ name }) => name)
  for (const name of Object.keys(rollcall.environment)) t.ok(known.includes(name), name)
  const document = readDeployed('docs/deployment.md')
  for (const name of [...wanted, ...optional]) t.match(document, name)
  t.strictSame([...new Set(wanted)].toSorted(), ['POSTGRES_PASSWORD', 'ROLLCALL_SECRET'])
})

test('an empty variable is like an absent one', async (t) => {
  const environment = Object.fromEntries(optional.map((name) => [name, '']))
  const { call, output } = await startProcess(t, { directory: emptyDirectory(t), environment })
  t.not(printedPassword(output.stdout), '')
  const { status } = await call('GET', '/health/ready')
  t.equal(status, 200)
})

test('the service has no more rights than it needs, and nothing but the service can be reached from outside', async (t) => {
  t.match(rollcall, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  t.strictSame(rollcall['ports'], ['127.0.0.1:3000:3000'])
  for (const service of [postgres, redis]) t.equal(service['ports'], undefined)
  t.match(redis['command'], ['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'])
})
