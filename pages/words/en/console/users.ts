import { phoneHint } from '../phone-hint.ts'

/** The list of users, and how one is added. */
export const users = {
  phoneHint,
  title: 'Users',
  add: 'Add user',
  search: 'Search users',
  byNames: {
    placeholder: 'Name or user name',
    nothing:
      'No user matches. Names are found as they are written, a part is enough. You cannot search by e-mail address or phone number.',
  },
  byContacts: {
    placeholder: 'Name, e-mail or phone',
    nothing:
      'No user matches. Names are found as they are written, a part is enough; an e-mail address or a phone number only as a whole, a foreign number with its country code.',
  },
  onlyWhole: 'These have the digits in their names. A phone number is found only as a whole.',
  role: 'Role',
  chooseRole: 'Choose a role',
  name: 'Name',
  username: 'User name',
  phone: 'Phone',
  email: 'E-mail',
  roles: 'Roles',
  factors: 'Factors',
  secondFactor: 'Second factor',
  withFactor: 'Set up',
  withoutFactor: 'None',
  invitation: 'Invitation',
  notCome: 'Not accepted yet',
  noneOpen: 'None open',
  status: 'Status',
  /** The filter by the status "normal": a ban and an invitation are no statuses of their own. */
  normal: 'Normal, also if invited or banned',
  type: 'Type',
  serviceHint:
    'For scripts and other services. It has no password and signs in by API tokens only, which are made on its page.',
  typeHint:
    'Roles say what the person may do: without one it is the own account only. The type says with whose accounts. A system administrator: those of all tenants. A tenant administrator: those of the own tenant. A user: those that may do no more than this person.',
  needsRole: 'An administrator without a role can open nothing in the console: choose one below.',
  created: 'Added',
  lastSignIn: 'Last sign-in',
  never: 'Never',
  required: (field: string) => `${field} (required)`,
  count: (total: number, text: string) => (total === 1 ? '1 user' : `${text} users`),
  selectAll: 'Select all on this page',
  select: (name: string) => `Select ${name}`,
  selectMatching: (count: string, isPart: boolean) =>
    isPart ? `Select the first ${count}, the most at a time` : `Select all ${count}`,
  selected: (count: string) => `${count} selected`,
  selectedElsewhere: (count: string, elsewhere: string) => `${count} selected, ${elsewhere} not on this page`,
  /** After "Select all": who is not among them. */
  without: { you: 'without your own account', others: 'without those whom you may not change' },
  clearSelection: 'Clear the selection',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  open: 'Open',
  disable: 'Disable',
  enable: 'Enable',
  unlock: 'Unlock',
  liftBan: 'Lift the ban',
  delete: 'Delete',
  /** Beside the actions on several users. */
  hints: {
    disable: 'They cannot sign in until they are enabled again, and their sessions end.',
    enable: 'For disabled users: they can sign in again.',
    unlock: 'For users who are locked or banned, or wait after too many wrong tries: they can sign in again.',
  },
  done: {
    disable: (who: string, isOne: boolean) =>
      isOne
        ? `${who} was disabled, and the sessions have ended.`
        : `${who} were disabled, and their sessions have ended.`,
    enable: (who: string, isOne: boolean) => `${who} ${isOne ? 'was' : 'were'} enabled.`,
    unlock: (who: string, isOne: boolean) => `${who} ${isOne ? 'was' : 'were'} unlocked.`,
    liftBan: (who: string, isOne: boolean) => `${who} ${isOne ? 'is' : 'are'} no longer banned.`,
    delete: (who: string, isOne: boolean) => `${who} ${isOne ? 'was' : 'were'} deleted.`,
  },
  /** Of those whom the action has not changed. */
  already: {
    disable: (who: string, isOne: boolean) => `${who} ${isOne ? 'was' : 'were'} disabled already.`,
    enable: (who: string, isOne: boolean) => `${who} ${isOne ? 'was' : 'were'} not disabled.`,
    unlock: (who: string, isOne: boolean) =>
      `${who} ${isOne ? 'was' : 'were'} neither locked nor banned; any wait after wrong tries has been ended.`,
  },
  giveRole: 'Give a role',
  gaveRole: (who: string, isOne: boolean, role: string) => `${who} ${isOne ? 'has' : 'have'} the role “${role}” now.`,
  tookRole: (who: string, isOne: boolean, role: string) =>
    `${who} no longer ${isOne ? 'has' : 'have'} the role “${role}”.`,
  severalTenants:
    'They belong to several tenants, and each has roles of its own: clear the selection (✕), filter by a tenant, then select its users. Nobody was changed.',
  hadRole: (who: string) => `${who} had it already.`,
  lockedAgain: (who: string, isOne: boolean) => `${who} ${isOne ? 'is' : 'are'} locked again.`,
  invited: {
    all: (who: string, isOne: boolean) =>
      isOne ? `The invitation to ${who} is on its way.` : `The invitations to ${who} are on their way.`,
    some: (count: number, of: number) => `${count} of ${of} ${count === 1 ? 'was' : 'were'} sent an invitation.`,
    none: (who: string) => `${who} was invited less than a minute ago. Wait a minute to send another invitation.`,
  },
  leftOut: {
    has_password: 'Left out, because they have a password:',
    recently_invited: 'Left out, because they were invited less than a minute ago:',
    has_signed_in: 'Left out, because they have signed in before:',
    not_enabled: 'Left out, because they are disabled or locked:',
    not_reached: 'Left out, because they have no contact that a message can be sent to:',
  },
  dismiss: 'Dismiss',
  nothingChanged: 'Nobody was changed.',
  asked: {
    delete: {
      title: (count: number) => (count === 1 ? 'Delete this user?' : `Delete these ${count} users?`),
      hint: (): string =>
        'Their sessions end, and their names and contacts are free for others. This cannot be undone.',
      button: (count: number) => (count === 1 ? 'Delete the user' : `Delete ${count} users`),
    },
    invite: {
      title: (count: number) => (count === 1 ? 'Invite this user?' : `Invite these ${count} users?`),
      hint: (count: number): string =>
        count === 1
          ? 'A message is sent at once.'
          : 'A message is sent at once to those of them who have no password. Afterwards you see who was left out.',
      button: (count: number): string => (count === 1 ? 'Send the invitation' : 'Send the invitations'),
    },
  },
  andMore: (count: number) => `and ${count} more`,
  none: 'No users yet',
  noneHint: 'Add the first one by hand, or import a CSV file or a workbook.',
  addTitle: 'Add a user',
  adding: 'Adding…',
  added: (name: string) => `${name} was added.`,
  addedInvited: (name: string) => `${name} was added. An invitation is on its way.`,
  password: 'Password',
  passwordHint: 'It must be changed at the first sign-in. Nobody is told of it: tell the person yourself.',
  /** After what is said of an invitation. */
  ifPassword: 'With a password, no message is sent: tell it to the person, who changes it at the first sign-in.',
  invitedByMail: 'Without a password, an invitation goes to the e-mail address, valid for 24 hours.',
  invitedByMessage: 'Without a password, an invitation goes to the phone by text message, valid for 24 hours.',
  needsContact: 'Without a password, an invitation is sent: that needs an e-mail address or a phone number.',
  needsEmail: 'Without a password, an invitation is sent: that needs an e-mail address.',
  needsPhone: 'Without a password, an invitation is sent: that needs a phone number.',
  noInvitation:
    'A password is needed: without a mail server and text messages no invitation can be sent. Tell it to the person, who changes it at the first sign-in.',
  change: 'Change',
  changeTenant: 'Change the tenant',
  import: 'Import',
  export: 'Export',
  exportTitle: 'Export users',
  exported: (users: string) => `The file has ${users}, of all pages of this list.`,
  withoutFilter: 'No search and no filter is set.',
  notOnlySelected: 'It does not matter who is selected. To export fewer, search or set a filter first.',
  wholeContacts: 'Phone numbers and e-mail addresses are in it whole: keep it where only those see it who may.',
  maskedContacts: 'Phone numbers and e-mail addresses in it are masked, as in the list.',
  searchedFor: 'Search',
  format: 'Kind of file',
  formatHint:
    'CSV has the names and numbers that programs read, such as userType 2; a workbook has them in words. Both can be imported into another installation.',
  formats: { csv: 'CSV', xlsx: 'Workbook (.xlsx)' },
  download: 'Download',
  exporting: 'The download has begun.',
}
