import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { Violation } from '../schemas/envelope.js'
import type { Language } from '../schemas/problems.js'
import { violationTexts, type ViolationRule } from '../schemas/violations.js'

/** A field that is not valid, without a text. */
export interface Fault {
  field: string
  rule: ViolationRule
  parameters?: Record<string, unknown>
}

const isRule = (rule: string): rule is ViolationRule => rule in violationTexts

/** The faults that schema validation found, by field. */
export const toFaults = (errors: FastifySchemaValidationError[]): Fault[] => {
  const faults = errors.map(({ keyword, instancePath, params }): Fault => {
    const path = instancePath.split('/').slice(1)
    if (keyword === 'required') path.push(String(params['missingProperty']))
    const rule = keyword === 'type' ? `type_${String([params['type']].flat()[0])}` : keyword
    return { field: path.join('.') || 'body', rule: isRule(rule) ? rule : 'invalid', parameters: params }
  })
  // A value of the wrong type breaks other rules too; only the first fault of a field is kept.
  return faults.filter(({ field }, index) => faults.findIndex((fault) => fault.field === field) === index)
}

/** Adds the texts to faults. */
export const toViolations = (faults: Fault[], language: Language): Violation[] =>
  faults.map(({ field, rule, parameters = {} }) => ({
    field,
    message: violationTexts[rule][language].replace(/\{(\w+)\}/g, (_match, name: string) =>
      [parameters[name]].flat().join(', '),
    ),
  }))
