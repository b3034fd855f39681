import { checkNewEmail, readEmail, readNewEmail } from './email-addresses.js'
import {
  checkNewPhone,
  isMobileNumber,
  phoneFault,
  phoneForms,
  readNewPhone,
  readPhone,
  type PhoneRegion,
} from './phone-numbers.js'

/** Reads the contacts of people, phone numbers without a country code as those of `region`. */
export const createContacts = (region: PhoneRegion) => ({
  readPhone: (text: string) => readPhone(text, region),
  readNewPhone: (text: string) => readNewPhone(text, region),
  checkNewPhone: (text: string | undefined) => checkNewPhone(text, region),
  isMobileNumber: (text: string) => isMobileNumber(text, region),
  phoneFault: (field: string) => phoneFault(region, field),
  phoneForms: phoneForms(region),
  readEmail,
  readNewEmail,
  checkNewEmail,
})

export type Contacts = ReturnType<typeof createContacts>
