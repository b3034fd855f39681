import type { TSchema } from '@sinclair/typebox'
import * as shapes from './shapes.js'

/** The shapes among the exports of a module that have an `$id`. */
export const componentsOf = (exported: object): TSchema[] =>
  Object.values(exported).filter((one): one is TSchema => typeof one === 'object' && '$id' in one)

/** Every named component of the OpenAPI document. */
export const components = componentsOf(shapes)
