import { defaultTenantId } from '../../../schemas/login.js'
import type { Settings } from '../../../schemas/settings.js'
import { publicUrlOf } from '../../../lib/public-url.js'
import type { Notice } from './notice-texts.js'

/** What is told to administrators, and where they look at it. */
const pagesOfAdministrators = {
  role_factor_lifted: 'console/roles',
  tenant_factor_lifted: 'console/tenants',
  user_factor_lifted: 'console/users',
  service_token_ends: 'console/tokens',
} as const satisfies Partial<Record<Notice, string>>

/** The page on which the reader looks at what a notice tells, and undoes it. */
const pagesOfNotices: Record<Notice, string> = {
  ...pagesOfAdministrators,
  identity_linked: 'account/identities',
  identity_unlinked: 'account/identities',
  first_password: 'account/security',
  password_changed: 'account/security',
  phone_changed: 'account',
  email_changed: 'account',
  factor_added: 'account/security',
  factor_removed: 'account/security',
  factors_reset: 'account/security',
  recovery_codes_made: 'account/security',
  recovery_code_used: 'account/security',
  factor_guessed: 'account/password',
  factor_codes_refused: 'account/password',
  passkey_copied: 'account/security',
  new_device: 'account/sessions',
  token_ends: 'account/tokens',
}

interface Options {
  settings: Pick<Settings, 'publicUrl' | 'issuer' | 'pages'>
  /** Whether this app serves pages at all. */
  hasPages: boolean
}

/**
 * Addresses of pages for messages, which hold nothing secret: what a message proves is the code that somebody types. Undefined without
 * `publicUrl`, because nothing else tells at which address people reach the service, and where the page is switched off.
 */
export const createPageLinks = ({ settings, hasPages }: Options) => {
  const publicUrl = publicUrlOf(settings)
  const addressOf = (page: string, isOn: boolean, tenantId: number): string | undefined => {
    if (publicUrl === undefined || !hasPages || !isOn) return undefined
    return `${publicUrl}/${page}${tenantId === defaultTenantId ? '' : `?tenant=${tenantId}`}`
  }
  return {
    /** The page on which an invitation is accepted, with its recipient, if any, in the fragment, which browsers send to no server. */
    ofInvitation(recipient: string | undefined, tenantId: number): string | undefined {
      const address = addressOf('sign-in/invited', settings.pages.signIn, tenantId)
      if (recipient === undefined) return address
      return address && `${address}#${new URLSearchParams({ recipient }).toString()}`
    },
    ofNotice: (notice: Notice, tenantId: number): string | undefined =>
      addressOf(
        pagesOfNotices[notice],
        notice in pagesOfAdministrators ? settings.pages.console : settings.pages.account,
        tenantId,
      ),
  }
}

export type PageLinks = ReturnType<typeof createPageLinks>
