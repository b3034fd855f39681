import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import type { Test } from 'tap'
import { filesToSave } from '../documents/documents.js'
import { run } from '../processes/package.js'
import { programs } from '../processes/project.js'
import { recipeProject } from '../documents/recipes.js'

export interface FrontEnd {
  page: string
  /** Another page whose files it needs, too. */
  base?: string
  /** The plugin of Vite. */
  plugin: string
  /** Where the page is mounted. */
  element: string
  main: string
  /** Files of the template of Vite. */
  template: Record<string, string>
}

/** Builds the page of a recipe with Vite for a Rollcall at `origin`, and returns the folder that is to be served. */
export const bundleRecipe = (
  t: Test,
  { page, base, plugin, element, main, template }: FrontEnd,
  origin: string,
  fixture?: string,
): string => {
  const project = recipeProject(t, page, fixture)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), text)
  }
  for (const name of ['package.json', 'index.js'])
    write(`node_modules/rollcall-client/${name}`, readFileSync(join(programs, 'client', name), 'utf8'))
  const files = base === undefined ? [] : [...filesToSave(base)].filter(([name]) => !filesToSave(page).has(name))
  for (const [name, text] of [...files, ...Object.entries(template)]) write(name, text)
  for (const name of ['src/rollcall.js', main]) {
    if (!existsSync(join(project, name))) throw new Error(`${page} does not say what to save as ${name}`)
  }
  write(
    'src/rollcall.js',
    readFileSync(join(project, 'src/rollcall.js'), 'utf8').replace('http://127.0.0.1:3000', origin),
  )
  write('package.json', '{ "type": "module" }')
  write(
    'vite.config.js',
    `import plugin from '@vitejs/plugin-${plugin}'\nexport default { plugins: [plugin()], logLevel: 'error' }\n`,
  )
  write(
    'index.html',
    `<!doctype html><html lang="en"><title>page</title><link rel="icon" href="data:,"><div id="${element}"></div><script type="module" src="/${main}"></script></html>`,
  )
  run(project, process.execPath, [join(project, 'node_modules/vite/bin/vite.js'), 'build'])
  return join(project, 'dist')
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves a folder on a port of its own, as another origin than Rollcall, under a policy without foreign scripts. */
export const servePage = async (t: Test) => {
  let folder = ''
  let rollcall = ''
  const server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1)
    const file = join(folder, name)
    if (folder === '' || !existsSync(file)) return void response.writeHead(404).end()
    const policy = `default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src ${rollcall}`
    response.writeHead(200, { 'content-type': types[extname(name)] ?? '', 'content-security-policy': policy })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close().closeAllConnections())
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show(served: string, origin: string): void {
      folder = served
      rollcall = origin
    },
  }
}
