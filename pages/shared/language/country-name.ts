import { languageTag } from './language.js'

/** The name of a country (ISO 3166). */
export const countryName = (region: string): string =>
  new Intl.DisplayNames(languageTag, { type: 'region' }).of(region) ?? region
