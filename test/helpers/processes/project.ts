import { join } from 'node:path'

/** The compiled programs; the compiled tests lie beside them. */
export const programs = join(import.meta.dirname, '../../..')

/** The project: its sources and documents. */
export const root = join(programs, '..')
