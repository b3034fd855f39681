import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OverviewInstallation } from '../../../schemas/overview.js'

/** Of the package: `dist/` or `build/` is in it. */
const packageFolder = fileURLToPath(new URL('../../../../', import.meta.url)).slice(0, -1)
const program = fileURLToPath(new URL('../../../cli/main.js', import.meta.url))

/** The package may be installed in a project, also by pnpm, which puts it deeper. */
const projectFolder = packageFolder.split(/[\\/]node_modules[\\/]/)[0] ?? packageFolder

/** npm adds such folders to the path of what it runs; a shell does not have them. */
const isOfNpm = (folder: string) => /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)

const isProgram = (path: string): boolean => {
  try {
    return realpathSync(path) === realpathSync(program)
  } catch {
    return false
  }
}

const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** What Docker and Podman put into each container. */
const isInContainer = () => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

/**
 * Where the configuration is, and how the command `rollcall` is typed: in the image it is in the path of the container, elsewhere npx finds it in
 * the folder of the clone or of the project. docs/command-line.md says the same for each kind of installation.
 */
export const describeInstallation = (
  directory: string,
  variables: NodeJS.ProcessEnv,
  inContainer = isInContainer(),
): Omit<OverviewInstallation, 'publicUrl'> => {
  const configFile = join(directory, 'config.json')
  const folders = (variables['PATH'] ?? '').split(delimiter).filter((folder) => !isOfNpm(folder))
  const inPath = folders.some((folder) => isProgram(join(folder, 'rollcall')))
  // The variables of the container are those of what is executed in it.
  if (inPath && inContainer) return { configFile, command: 'docker exec rollcall rollcall', inContainer }
  const dataDirectory = !inPath && directory === join(projectFolder, 'data') ? '' : `DATA_DIR=${quoted(directory)} `
  if (inPath) return { configFile, command: `${dataDirectory}rollcall`, inContainer }
  return { configFile, command: `${dataDirectory}npx rollcall`, folder: projectFolder, inContainer }
}
