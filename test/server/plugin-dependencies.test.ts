import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'
import { root } from '../helpers/project.js'

/** What an app, a request and a reply are called in plugins, and their types. */
const parts = ['app', 'request', 'reply', 'this', 'FastifyInstance', 'FastifyRequest', 'FastifyReply']

interface Plugin {
  name: string
  dependencies: Set<string>
  decorates: Set<string>
  /** Names of properties that it reads of them, decorators or not. */
  reads: Set<string>
}

const textOf = (node: ts.Node | undefined) => (node && ts.isStringLiteral(node) ? node.text : undefined)

/** `{ name, dependencies }` of `fp`. */
const readMetadata = (object: ts.ObjectLiteralExpression, plugin: Plugin) => {
  for (const property of object.properties) {
    if (!ts.isPropertyAssignment(property)) continue
    const { initializer } = property
    if (property.name.getText() === 'name') plugin.name = textOf(initializer) ?? ''
    if (property.name.getText() !== 'dependencies' || !ts.isArrayLiteralExpression(initializer)) continue
    for (const element of initializer.elements) plugin.dependencies.add(textOf(element) ?? '')
  }
}

const visit = (node: ts.Node, plugin: Plugin): void => {
  if (ts.isCallExpression(node)) {
    const called = node.expression.getText()
    if (called === 'fp' && node.arguments[1] && ts.isObjectLiteralExpression(node.arguments[1])) {
      readMetadata(node.arguments[1], plugin)
    }
    if (/\.decorate(Request|Reply)?$/.test(called)) plugin.decorates.add(textOf(node.arguments[0]) ?? '')
  }
  if (ts.isPropertyAccessExpression(node) && parts.includes(node.expression.getText())) plugin.reads.add(node.name.text)
  if (
    (ts.isVariableDeclaration(node) || ts.isParameter(node)) &&
    ts.isObjectBindingPattern(node.name) &&
    parts.includes((node.initializer ?? node.type)?.getText() ?? '')
  ) {
    for (const element of node.name.elements) plugin.reads.add((element.propertyName ?? element.name).getText())
  }
  ts.forEachChild(node, (child) => visit(child, plugin))
}

/** Every plugin: a folder with a door, or a file beside them. */
const readPlugins = (): Plugin[] => {
  const files = globSync('plugins/**/*.ts', { cwd: root })
  const folders = new Set(files.filter((file) => file.endsWith('/index.ts')).map(dirname))
  const plugins = new Map<string, Plugin>()
  for (const file of files) {
    const place = folders.has(dirname(file)) ? dirname(file) : file
    const plugin = plugins.get(place) ?? { name: '', dependencies: new Set(), decorates: new Set(), reads: new Set() }
    plugins.set(place, plugin)
    const text = readFileSync(join(root, file), 'utf8')
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), plugin)
  }
  return [...plugins.values()].filter(({ name }) => name !== '')
}

test('every plugin declares the plugins whose decorators it reads', async (t) => {
  const plugins = readPlugins()
  const owners = new Map(plugins.flatMap(({ name, decorates }) => [...decorates].map((decorator) => [decorator, name])))
  t.ok(owners.size > 25, `${owners.size} decorators are found`)
  for (const { name, dependencies, reads } of plugins) {
    const missing = [...reads]
      .map((read) => [read, owners.get(read)] as const)
      .filter(([, owner]) => owner !== undefined && owner !== name && !dependencies.has(owner))
    t.same(missing, [], `${name} declares what it reads`)
  }
})
