import type { OperationsByFirstAnswer } from '../../plugins/http/documentation/first-answers.js'

/** The operations whose example a new installation refuses, by why. */
export const firstAnswers: OperationsByFirstAnswer = {
  noIdentity: ['compatUnlinkPlatform'],
  noUser: [
    ...['compatBan', 'compatUnban', 'compatSetUserStatus', 'compatUntieUser', 'compatSetUserPassword'],
    ...['compatDeleteUser', 'compatGetUser', 'compatEditUser', 'compatGetOrgBindings', 'compatGetOrgRoles'],
    ...['compatSetOrgRoles', 'compatGetUserTenants', 'compatSetUserTenants', 'compatSetUserUnits'],
    'compatSetTenantOfUsers',
  ],
  noUsers: ['compatDeleteUsers'],
  noSession: ['compatKickOut'],
}
