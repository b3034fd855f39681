import { defaultClient, defaultTenantId, type UserClient } from '../../../schemas/login.js'
import type { CodeSent } from '../../../schemas/one-time-code.js'
import type { Channel } from './channels.js'
import type { CodeClient, RequestCode, WantedCode } from './code-requests.js'
import type { Codes } from './codes.js'
import type { TenantChannels } from './tenant-channels.js'

interface CodeRequest {
  recipient: string
  tenantId?: number
  userClient?: UserClient
  code?: string
  codeKey?: string
}

interface Collaborators {
  codes: Codes
  requestCode: RequestCode
  ofTenant: TenantChannels
}

/** Sends codes for signing in. Throws `unsupported_auth_type` and the errors of requests for a code. */
export const createSignInCodes =
  ({ codes, requestCode, ofTenant }: Collaborators) =>
  async (name: Channel['name'], request: CodeRequest, client: CodeClient): Promise<CodeSent> => {
    const { tenantId = defaultTenantId, userClient = defaultClient } = request
    const channel = await ofTenant.find(name, tenantId)
    const recipient = codes.readRecipient(channel, request.recipient, 'recipient')
    const wanted: WantedCode = {
      purpose: 'sign-in',
      tenantId,
      recipient,
      subject: { kind: channel.field, text: recipient },
      boundTo: userClient,
      async findContact() {
        const user = await channel.find(tenantId, recipient)
        const to = user && channel.contactOf(user)
        return user && to != null ? { to, userId: user.id } : undefined
      },
    }
    return requestCode(channel, wanted, request, client)
  }
