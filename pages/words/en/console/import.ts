const users = (count: number) => (count === 1 ? '1 user' : `${count} users`)

/** By what codes can be sent in an installation. */
type Channels = 'both' | 'email' | 'phone' | 'neither'
const orContact: Record<Channels, string> = {
  both: ', an e-mail address or a phone number',
  email: ' or an e-mail address',
  phone: ' or a phone number',
  neither: '',
}

/** The import of users. The name of the table is a word of the language; it is read as `words.import`. */
export const importing = {
  title: 'Import users',
  users: 'Users',
  steps: ['1. Choose a file', '2. Look at the check', '3. Import'],
  file: 'CSV file or workbook (.xlsx)',
  anotherFile: 'Check another file',
  fileHint:
    'An import adds users and changes nobody who is here already. The first line names the columns, in any order: username, realName, phone, email, roles, userType, tenant, password, passwordHash, forcePasswordChange, userStatus, gender, remark. Only username is required. Commas, semicolons or tabs separate the cells of a CSV file.',
  templateHint: 'Or begin with a file that has these columns and an example, which is not imported:',
  template: { xlsx: 'Template (.xlsx)', csv: 'Template (.csv)' },
  /** What the service reads in a cell: `schemas/value-labels.ts`. */
  valueHints: [
    'userType: 0 or System administrator, 1 or Tenant administrator, 2 or User; User if it is empty.',
    'userStatus: 0 or Disabled, 1 or Normal, 2 or Locked; Normal if it is empty.',
    'gender: 0 or Not given, 1 or Male, 2 or Female; Not given if it is empty.',
    'forcePasswordChange: whether a password of the file must be changed at the first sign-in; true or Yes, false or No; if it is empty, Yes for a password and No for a passwordHash.',
    'roles: keys of roles (not their names), which the page “Roles” shows; several separated by |.',
    'phone: an apostrophe before the + is no part of it.',
    'passwordHash: by argon2 or bcrypt, from another system.',
    'tenant: id or name; your own if it is empty.',
    'Users without a password are sent an invitation if you choose it after the check. Otherwise they sign in with a code or a linked account, or set a password by “Forgot password?”.',
  ],
  rows: 'Rows',
  withoutFault: 'Without a fault',
  refused: 'Refused',
  hasFaults: (count: string, name: string) => `Rows of ${name} with faults: ${count}. Nobody has been added.`,
  allOrNone:
    'All rows of a file are imported, or none: mend these rows, take out those of users who are here already, and check the file again.',
  isGood: (name: string) => `${name} has no faults. Nobody has been added yet.`,
  isEmpty: (name: string) => `${name} has no rows besides the example.`,
  notCompared: 'Phone numbers and e-mail addresses have not been compared with those of other users.',
  added: (count: number) => `Added ${users(count)}.`,
  invite: 'Send an invitation to users without a password',
  invited: (count: number) =>
    count === 1 ? 'One invitation is on its way.' : `${count} invitations are on their way.`,
  noWayIn: (count: number, isAdded: boolean) =>
    isAdded ? `${users(count)} cannot sign in yet.` : `${users(count)} of this file cannot sign in after the import.`,
  whoNot: (names: string[], more: number) => `${names.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
  whyNot: {
    both: 'There is no password, no e-mail address and no phone number.',
    email: 'There is no password and no e-mail address. A phone number is not enough: text messages are not set up.',
    phone: 'There is no password and no phone number. An e-mail address is not enough: no mail server is set up.',
    neither: 'There is no password, and neither a mail server nor text messages are set up.',
  } satisfies Record<Channels, string>,
  beforeImport: (channels: Channels) =>
    `This is no fault. Add a password${orContact[channels]} to the file and check it again, or do so for each user after the import.`,
  afterImport: (channels: Channels) => `Add a password${orContact[channels]} on the page of each user.`,
  notInvited: (count: number) =>
    `${users(count)} without a password ${count === 1 ? 'was' : 'were'} not invited: select them in the list, and choose “Invite”.`,
  /** Not only those of the file: somebody else may have added users at the same time. */
  showThem: 'Show who was added during the import',
  add: (count: number) => `Import ${users(count)}`,
  faults: 'Faults by line',
  download: 'Download as CSV',
  firstFaults: (count: string) => `These are the first ${count} faults.`,
  line: 'Line',
  column: 'Column',
  fault: 'What is wrong',
  running: 'While it runs',
  sending: (percent: number) => `${percent} % sent`,
  working: { check: 'Checking the rows…', import: 'Adding the users…' },
  stay: 'Stay on this page: leaving it stops the work, and nobody is added.',
  leave: 'The import is running, and would be stopped.',
  hasChanged: 'The file was saved again, moved or removed since it was chosen. Choose it once more.',
  cancelled: 'Stopped. Nobody was added.',
}
