import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'
import { readDocument, rowsOf } from '../helpers/documents/documents.js'
import { root } from '../helpers/processes/project.js'
import { startServer } from '../helpers/service/server.js'

const page = 'docs/log-lines.md'
const levels = new Map([
  ['trace', 10],
  ['debug', 20],
  ['info', 30],
  ['warn', 40],
  ['error', 50],
  ['fatal', 60],
])

/** A text as the page shows it: `…` stands for what varies. Undefined for other expressions. */
const textOf = (node: ts.Expression): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  }
  if (!ts.isBinaryExpression(node)) return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`
}

/** The level at which a call logs; undefined for other calls. What a migration reports is logged as a warning. */
const levelOf = ({ expression }: ts.CallExpression, path: string): string | undefined => {
  if (path.startsWith('db/migrations/') && expression.getText() === 'report') return 'warn'
  if (!ts.isPropertyAccessExpression(expression) || !levels.has(expression.name.text)) return undefined
  return /(^|\.)log$/.test(expression.expression.getText()) ? expression.name.text : undefined
}

const linesIn = (path: string): string[] => {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const level = ts.isCallExpression(node) ? levelOf(node, path) : undefined
    if (level !== undefined && ts.isCallExpression(node)) {
      const text = node.arguments.map(textOf).find((argument) => argument !== undefined)
      // What somebody else has put into words, such as a migration.
      if (text !== undefined) found.push(`${level} ${text.replaceAll('`', '')}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const sectionOf = (heading: string): string[] => {
  const [, section = ''] = readDocument(page).split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return rowsOf(page)
    .filter(([message = '']) => own.includes(`| \`${message}\` `))
    .map(([message = '', level = '']) => `${level} ${message}`)
}

test('the page of log lines has every line that the code can write, with its level, and no other', (t) => {
  const files = globSync(['*.ts', '{cli,db,lib,plugins,routes}/**/*.ts'], { cwd: root })
  t.same(sectionOf('Lines of Rollcall').sort(), [...new Set(files.sort().flatMap(linesIn))].sort())
  for (const [message = '', , meaning = '', advice = ''] of rowsOf(page)) {
    t.ok(meaning.length > 10 && advice !== '', `${message} has a meaning and says what to do`)
  }
  t.end()
})

test('the lines of Fastify on the page are those of the Fastify in use', (t) => {
  const sources = globSync('node_modules/fastify/lib/*.js', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  const rows = sectionOf('Lines of Fastify')
  t.ok(rows.length >= 5)
  for (const row of rows) {
    const message = row.slice(row.indexOf(' ') + 1).split('…')[0] ?? row
    t.ok(
      sources.some((source) => source.includes(message)),
      row,
    )
  }
  t.end()
})

test('what a server writes while it starts, serves, refuses and ends is on the page', async (t) => {
  const server = await startServer(t, { environment: { ROLLCALL_DEV_ECHO: '1' } })
  const { accessToken: token } = await server.signIn()
  await server.call('POST', '/auth/login', { json: { username: 'admin', password: 'wrong horse battery' } })
  await server.call('GET', '/auth/captcha')
  await server.call('GET', '/nowhere', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  await server.call('POST', '/auth/refreshToken', { token })
  await server.app.close()
  const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const patterns = rowsOf(page).map(([message = '', level = '']) => ({
    level: levels.get(level),
    message: new RegExp(`^${message.split('…').map(escape).join('.*')}$`),
  }))
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line !== '')
  t.ok(lines.length > 10)
  for (const line of lines) {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    t.ok(
      patterns.some((pattern) => pattern.level === level && pattern.message.test(msg)),
      line.slice(0, 200),
    )
  }
})
