import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { Violation } from '../schemas/envelope.js'
import type { Language } from '../schemas/problems.js'
import { violationTexts, type ViolationRule } from '../schemas/violations.js'

/** A fault of the input before it is put into words. */
export interface Fault {
  field: string
  rule: ViolationRule
  parameters?: Record<string, unknown>
}

const isRule = (rule: string): rule is ViolationRule => rule in violationTexts

/** The faults that the schemas found, named by field. */
export const toFaults = (errors: FastifySchemaValidationError[]): Fault[] => {
  const faults = errors.map(({ keyword, instancePath, params }): Fault => {
    const path = instancePath.split('/').slice(1)
    if (keyword === 'required') path.push(String(params['missingProperty']))
    const rule = keyword === 'type' ? `type_${String(params['type'])}` : keyword
    return { field: path.join('.') || 'body', rule: isRule(rule) ? rule : 'invalid', parameters: params }
  })
  // What has the wrong type breaks further rules too; the first says it.
  return faults.filter(({ field }, index) => faults.findIndex((fault) => fault.field === field) === index)
}

/** Puts faults into words. */
export const toViolations = (faults: Fault[], language: Language): Violation[] =>
  faults.map(({ field, rule, parameters = {} }) => ({
    field,
    message: violationTexts[rule][language].replace(/\{(\w+)\}/g, (_match, name: string) =>
      [parameters[name]].flat().join(', '),
    ),
  }))
