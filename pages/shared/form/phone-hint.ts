import type { Operations } from '../../../client/index.js'
import type { PhoneHintWords } from '../../words/en/phone-hint.js'
import { countryName } from '../language/country-name.js'

type PhoneNumbers = Operations['GET /auth/loginConfig']['data']['phoneNumbers']

/** Which numbers a field takes: without a country code those of one country only. */
export const phoneHint = ({ region, national, international }: PhoneNumbers, words: PhoneHintWords): string => {
  if (region === null || national === null) return words.international(international)
  return words.national(countryName(region), national, international)
}
