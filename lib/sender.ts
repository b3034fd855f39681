import addressparser from 'nodemailer/lib/addressparser'

const address = /^[^\s@]+@[^\s@]+$/
/** What the parser may leave out: it stands between the parts (RFC 5322 3.4). */
const withoutMarks = (text: string): string => text.replace(/[\s"<>\\]/g, '')

/** What sends mails reads from a text as their sender: undefined unless it is one address, and nothing of the text is lost. */
export const readSender = (text: string): { name: string; address: string } | undefined => {
  const [sender, ...more] = addressparser(text)
  if (!sender || 'group' in sender || more.length > 0 || !address.test(sender.address)) return undefined
  return withoutMarks(text) === withoutMarks(sender.name + sender.address) ? sender : undefined
}

export const isSender = (text: string): boolean => readSender(text) !== undefined
