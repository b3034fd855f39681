import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { Violation } from '../schemas/envelope.js'
import type { Language } from '../schemas/problems.js'
import { violationTexts, type ViolationRule } from '../schemas/violations.js'

/** The text of a rule that only one feature has, in each language; `{name}` is replaced by a parameter. */
export type OwnRule = Record<Language, string>

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** What the text of a rule needs, by name; `inLanguages` makes a parameter that differs between languages. */
export type ParametersOf<Rule extends ViolationRule | OwnRule> = Record<
  NamesIn<(Rule extends ViolationRule ? (typeof violationTexts)[Rule] : Extract<Rule, OwnRule>)['en']>,
  unknown
>

/** A field that is not valid, without a text. */
export interface Fault {
  field: string
  rule: ViolationRule | OwnRule
  parameters?: Record<string, unknown>
}

/** An answer names at most this many faults; whoever finds them stops there. */
export const maxFaults = 20

const isRule = (rule: string): rule is ViolationRule => rule in violationTexts

/** The faults that schema validation found, one for each field, and no more than an answer names. */
export const toFaults = (errors: FastifySchemaValidationError[]): Fault[] => {
  // A value of the wrong type breaks other rules too; only the first fault of a field is kept.
  const faults = new Map<string, Fault>()
  for (const { keyword, instancePath, params } of errors) {
    if (faults.size === maxFaults) break
    const path = instancePath.split('/').slice(1)
    if (keyword === 'required') path.push(String(params['missingProperty']))
    if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']))
    const field = path.join('.') || 'body'
    if (faults.has(field)) continue
    const rule = keyword === 'type' ? `type_${String([params['type']].flat()[0])}` : keyword
    faults.set(field, { field, rule: isRule(rule) ? rule : 'invalid', parameters: params })
  }
  return [...faults.values()]
}

/** A parameter in the words of each language. */
class InLanguages {
  constructor(readonly words: Record<Language, unknown>) {}
}
export const inLanguages = (words: Record<Language, unknown>) => new InLanguages(words)

/** Adds the texts to faults, the first of them if there are many. */
export const toViolations = (faults: Fault[], language: Language): Violation[] =>
  faults.slice(0, maxFaults).map(({ field, rule, parameters = {} }) => ({
    field,
    message: (typeof rule === 'string' ? violationTexts[rule] : rule)[language].replace(
      /\{(\w+)\}/g,
      (_match, name: string) => {
        const value = parameters[name]
        return [value instanceof InLanguages ? value.words[language] : value].flat().join(', ')
      },
    ),
  }))
