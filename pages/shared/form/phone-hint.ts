import type { Operations } from '../../../client/index.js'
import { frame } from '../language/frame-words.js'
import { countryName } from '../language/language.js'

type PhoneNumbers = Operations['GET /auth/loginConfig']['data']['phoneNumbers']

/** Which numbers a field takes: without a country code those of one country only. */
export const phoneHint = ({ region, national, international }: PhoneNumbers): string => {
  if (region === null || national === null) return frame.internationalPhone(international)
  return frame.nationalPhone(countryName(region), national, international)
}
