import { AuditPage, AuditRecord } from './audit.js'
import { Problem, ProblemData, Violation } from './envelope.js'
import { Health, JsonWebKey, JsonWebKeySet, Readiness } from './health.js'
import {
  Captcha,
  ChangePasswordRequest,
  LoginConfig,
  LoginRequest,
  LoginResult,
  PasswordPolicy,
  SocialPlatform,
} from './login.js'
import { LoginLogPage, LoginRecord } from './login-log.js'
import { ManagedSession, SessionPage } from './managed-session.js'
import {
  NewUserRequest,
  UserBatchRequest,
  UserChangeRequest,
  UserDetail,
  UserPasswordRequest,
  UserRolesRequest,
} from './managed-user.js'
import { CodeSent, EmailCodeRequest, SmsCodeRequest } from './one-time-code.js'
import { IntrospectionRequest, ServerMetadata, TokenIntrospection } from './resource-servers.js'
import { NewRoleRequest, RoleChangeRequest, RolePage, RoleRecord } from './role.js'
import { SessionList, SessionRecord } from './session.js'
import {
  AuthUrl,
  LinkedIdentities,
  LinkedIdentity,
  LinkIdentityRequest,
  SocialCallbackRequest,
  SocialPlatforms,
  SocialTicket,
} from './social.js'
import {
  ContactCodeRequest,
  ForgotPasswordRequest,
  ProfileChangeRequest,
  Registered,
  RegistrationCodeRequest,
  RegistrationRequest,
  ResetPasswordRequest,
  PasswordReset,
} from './self-service.js'
import { ImportFault, UserImportReport } from './user-files.js'
import { NewTenantRequest, TenantChangeRequest, TenantPage, TenantRecord } from './tenant.js'
import { Permissions, UserInfo, UserPage, UserRecord } from './user.js'

/** Every named component of the OpenAPI document. */
export const components = [
  Violation,
  ProblemData,
  Problem,
  UserInfo,
  UserRecord,
  UserPage,
  Permissions,
  IntrospectionRequest,
  TokenIntrospection,
  ServerMetadata,
  ImportFault,
  UserImportReport,
  LoginRequest,
  LoginResult,
  Captcha,
  PasswordPolicy,
  SocialPlatform,
  LoginConfig,
  ChangePasswordRequest,
  SmsCodeRequest,
  EmailCodeRequest,
  CodeSent,
  ForgotPasswordRequest,
  ResetPasswordRequest,
  PasswordReset,
  ContactCodeRequest,
  ProfileChangeRequest,
  RegistrationCodeRequest,
  RegistrationRequest,
  Registered,
  SessionRecord,
  SessionList,
  SocialPlatforms,
  AuthUrl,
  SocialCallbackRequest,
  SocialTicket,
  LinkIdentityRequest,
  LinkedIdentity,
  LinkedIdentities,
  UserDetail,
  NewUserRequest,
  UserChangeRequest,
  UserPasswordRequest,
  UserRolesRequest,
  UserBatchRequest,
  RoleRecord,
  RolePage,
  NewRoleRequest,
  RoleChangeRequest,
  TenantRecord,
  TenantPage,
  NewTenantRequest,
  TenantChangeRequest,
  ManagedSession,
  SessionPage,
  LoginRecord,
  LoginLogPage,
  AuditRecord,
  AuditPage,
  Health,
  Readiness,
  JsonWebKey,
  JsonWebKeySet,
]
