/** Which phone numbers a field takes. */
export const phoneHint = {
  national: (country: string, national: string, international: string) =>
    `A mobile number (${country}), such as ${national}, or any other with its country code, such as ${international}.`,
  international: (example: string) => `With its country code, such as ${example}.`,
}
export type PhoneHintWords = typeof phoneHint
