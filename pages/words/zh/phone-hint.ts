import type { PhoneHintWords } from '../en/phone-hint.js'

export const phoneHint: PhoneHintWords = {
  national: (country, national, international) =>
    `${country}手机号，如 ${national}；其他号码请带国家代码，如 ${international}。`,
  international: (example) => `请带国家代码，如 ${example}。`,
}
