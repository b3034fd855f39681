import { Type } from '@sinclair/typebox'

/** Ten years. A longer time is a typing error. */
const maxSeconds = 315_360_000
/** A setting that is a time. */
export const seconds = (description: string, preset?: number) =>
  Type.Integer({
    minimum: 1,
    maximum: maxSeconds,
    description: `Seconds ${description}`,
    ...(preset === undefined ? {} : { default: preset }),
  })
