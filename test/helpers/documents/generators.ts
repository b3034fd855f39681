import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes/project.js'

/** The packages of test/fixtures/clients/package.json: generators are large, and most people who clone this need none. */
export const tools = join(root, 'test/fixtures/clients/node_modules')

/** Why a test does not run without them. */
export const skip = existsSync(tools) ? false : 'run `npm ci --prefix test/fixtures/clients` to run this test'
