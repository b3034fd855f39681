import type { ComponentChildren } from 'preact'

/** What all rooms of the console say. */
export const common = {
  console: 'Console',
  groups: { directory: 'Directory', activity: 'Activity' },
  account: 'Your account',
  missing: 'There is no such page',
  missingFor: (name: ComponentChildren): ComponentChildren => [
    'Or it is not for the account with which you are signed in: ',
    name,
    '.',
  ],
  backToStart: 'To the first page of the console',
  tenant: 'Tenant',
  tenantNumber: (id: number) => `Tenant ${id}`,
  chooseTenant: 'Choose a tenant',
  searchTenants: 'Search tenants by name',
  tenantDisabled: (name: string) =>
    `The tenant ${name} is disabled: nobody of it can sign in until it is enabled again.`,
  toTenant: 'To the tenant',
  noTenant: 'No tenant has that in its name.',
  statuses: { 0: 'Disabled', 1: 'Normal', 2: 'Locked' },
  invited: 'Invited',
  invite: 'Invite',
  inviteAgain: 'Invite again',
  noLink:
    'The invitation holds a code and no link, because publicUrl is not set: tell the person the address of the sign-in page.',
  needsFactor: 'Taking it back needs a second factor of yours, and you have none: set one up first.',
  toOwnFactors: 'Set one up in your account',
  banned: 'Banned',
  bannedUntil: (time: string) => `Until ${time}`,
  bannedForever: 'Until somebody lifts the ban',
  types: { 0: 'System administrator', 1: 'Tenant administrator', 2: 'User', 3: 'Service account' },
  genders: { 0: 'Not given', 1: 'Male', 2: 'Female' },
}
