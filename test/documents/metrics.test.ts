import { test } from 'tap'
import { createMetrics } from '../../plugins/http/metrics/metrics.js'
import { readDocument, rowsOf } from '../helpers/documents/documents.js'

/** The names of all metrics, with the endings of the samples that the text format makes of them. */
const samples = async (): Promise<Set<string>> => {
  const metrics = createMetrics({ waitingHashes: () => 0, loginLogRows: async () => 0, liveSessions: () => 0 })
  metrics.answered('GET', '/', 200, 1)
  metrics.signedIn('password', null)
  const lines = (await metrics.read()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Set(lines.map((line) => line.split(/[{ ]/)[0] ?? ''))
}

const namesIn = (text: string) => [...new Set(text.match(/\b(rollcall|nodejs|process)_[a-z0-9_]+/g))]

test('alerts and dashboard use only metrics that the service has', async (t) => {
  const known = await samples()
  for (const path of ['docs/alerts.yml', 'docs/grafana-dashboard.json']) {
    const names = namesIn(readDocument(path))
    t.ok(names.length >= 5, path)
    t.same(
      names.filter((name) => !known.has(name)),
      [],
      path,
    )
  }
})

test('the page of metrics has every metric of Rollcall and no other', async (t) => {
  const families = new Set([...(await samples())].map((name) => name.replace(/_(bucket|sum|count)$/, '')))
  const own = [...families].filter((name) => name.startsWith('rollcall_'))
  const rows = rowsOf('docs/metrics.md')
    .map(([name = '']) => name)
    .filter((name) => name.startsWith('rollcall_'))
  t.same(rows.sort(), own.sort())
})

test('each alert has a name, a condition, a severity and a description; the dashboard is JSON with queries', (t) => {
  const alerts = readDocument('docs/alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1)
  t.ok(alerts.length >= 6)
  for (const alert of alerts) {
    for (const part of [/^\w+\n/, /^ {8}expr: /m, /severity: (critical|warning)/, /summary: /, /description: /]) {
      t.match(alert, part)
    }
  }
  const { panels } = JSON.parse(readDocument('docs/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  t.ok(panels.length >= 6)
  for (const { title, targets } of panels) t.ok(title && targets.every(({ expr }) => expr), title)
  t.end()
})
