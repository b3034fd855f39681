const users = (count: number) => (count === 1 ? '1 user' : `${count} users`)

/** The import of users. The name of the table is a word of the language; it is read as `words.import`. */
export const importing = {
  title: 'Import users',
  users: 'Users',
  steps: ['1. Choose a file', '2. Look at the check', '3. Import'],
  file: 'CSV file or workbook (.xlsx)',
  anotherFile: 'Check another file',
  fileHint:
    'The first line names the columns, in any order: username, realName, phone, email, roles, userType, tenant, password, passwordHash, forcePasswordChange, userStatus, gender, remark. Only username is required.',
  /** What the service reads in a cell: `schemas/value-labels.ts`. */
  valueHints: [
    'userType: 0 or System administrator, 1 or Tenant administrator, 2 or User.',
    'userStatus: 0 or Disabled, 1 or Normal, 2 or Locked.',
    'gender: 0 or Unknown, 1 or Male, 2 or Female.',
    'forcePasswordChange: true or Yes, false or No.',
    'roles: keys of roles, several separated by |.',
    'tenant: id or name; your own if it is empty.',
    'Users without a password are not sent an invitation: they sign in with a code or a linked account, or set a password by “Forgot password?”. Codes need a mail server or text messages.',
  ],
  rows: 'Rows',
  withoutFault: 'Without a fault',
  refused: 'Refused',
  hasFaults: (count: string, name: string) => `Rows of ${name} with faults: ${count}. Nobody has been added.`,
  allOrNone: 'All rows of a file are imported, or none: mend these rows and check the file again.',
  isGood: (name: string) => `${name} has no faults. Nobody has been added yet.`,
  notCompared: 'Phone numbers and e-mail addresses have not been compared with those of other users.',
  added: (count: number) => `Added ${users(count)}.`,
  showThem: 'Show them',
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
  cancelled: 'Stopped. Nobody was added.',
}
