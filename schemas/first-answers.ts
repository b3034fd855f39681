import type { Reason } from './problems.js'

/** Why an example of the document is refused on a new installation, and until when. */
export interface FirstAnswer {
  reason: Reason
  until: string
}

export const firstAnswers = {
  passwordMissing: { reason: 'invalid_request', until: 'you fill in the password' },
  passwordsMissing: { reason: 'invalid_request', until: 'you fill in the two passwords' },
  noMail: { reason: 'unsupported_auth_type', until: '`SMTP_URL` is set' },
  noSms: { reason: 'unsupported_auth_type', until: 'the setting `sms.sender` names a sender' },
  noChannel: { reason: 'unsupported_auth_type', until: '`SMTP_URL` or the setting `sms.sender` is set' },
  noProvider: {
    reason: 'unsupported_auth_type',
    until: 'the setting `federation.providers` names an identity provider',
  },
  unknownProvider: {
    reason: 'invalid_request',
    until: 'the setting `federation.providers` names this identity provider',
  },
  noGrant: { reason: 'invalid_grant', until: 'the values are those of a sign-in at an identity provider' },
  noCredential: { reason: 'invalid_grant', until: 'the credential is what a browser has signed' },
  noFactor: { reason: 'not_found', until: 'you have a second factor' },
  noEnrolment: { reason: 'invalid_grant', until: 'the values are those of a factor that you are setting up' },
  noApp: { reason: 'unsupported_auth_type', until: 'you have an authenticator app' },
  noDevice: { reason: 'not_found', until: 'there is such a browser: `GET /auth/factors` lists them' },
  noTicket: { reason: 'invalid_grant', until: 'the ticket is that of a first step' },
  noIdentity: { reason: 'not_found', until: 'you have such a linked identity' },
  closed: { reason: 'registration_closed', until: 'the setting `registration.mode` is `open`' },
  noClient: { reason: 'invalid_client', until: 'the setting `introspection.clients` names your service' },
  noIssuer: { reason: 'not_found', until: 'the setting `issuer` is a URL' },
  noUser: { reason: 'not_found', until: 'there is a user of this id: `POST /system/user` adds one' },
  noUsers: { reason: 'invalid_request', until: 'there are users of these ids: `POST /system/user` adds one' },
  noRole: { reason: 'not_found', until: 'there is a role of this key: `POST /system/role` adds one' },
  noTenant: { reason: 'not_found', until: 'there is a tenant of this id: `POST /system/tenant` adds one' },
  noSession: { reason: 'not_found', until: 'the id is that of a live session' },
} as const satisfies Record<string, FirstAnswer>
export type FirstAnswerName = keyof typeof firstAnswers
