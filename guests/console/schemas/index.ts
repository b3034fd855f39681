import { componentsOf } from '../../../schemas/index.js'
import * as shapes from './shapes.js'

/** The named components of these requests. */
export const components = componentsOf(shapes)
