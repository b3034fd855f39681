/** The columns that an import of users reads, in order, each with what there is to know about its values. */
const columns = {
  username: '',
  realName: '',
  phone: '',
  email: '',
  roles: 'separated by `|`',
  userType: '',
  tenant: 'id or name; blank means that of the caller',
  password: '',
  passwordHash: 'bcrypt or argon2id',
  forcePasswordChange: '',
  userStatus: '',
  gender: '',
  remark: '',
}
export type ImportColumn = keyof typeof columns
export const importColumns = Object.keys(columns) as ImportColumn[]

/** The columns that only the command reads: secrets of other systems. */
export const operatorColumns = ['totpSecret'] as const
export type OperatorColumn = (typeof operatorColumns)[number]

/** For the document. */
export const importColumnsInWords = Object.entries(columns)
  .map(([name, note]) => (note === '' ? `\`${name}\`` : `\`${name}\` (${note})`))
  .join(', ')
