import type { Client as LibraryClient } from 'oidc-provider'
import { isVisible } from '../../../lib/visible-text.js'
import { defaultTenantId } from '../../../schemas/login.js'
import { presets } from '../clients/settings.js'
import type { Client } from '../repositories/clients.js'
import { recordName } from './client-metadata.js'

/** Its types leave it out. */
const isDocument = (client: LibraryClient): boolean =>
  (client as { clientIdMetadataDocument?: boolean }).clientIdMetadataDocument === true

/** An application that describes itself: public, always asked for, and for services only. */
const toRecord = ({ clientId, clientName, redirectUris = [] }: LibraryClient): Client => ({
  ...presets,
  id: clientId,
  name:
    clientName !== undefined && clientName.trim() !== '' && isVisible(clientName) ? clientName.slice(0, 100) : clientId,
  type: 'native',
  tenantId: defaultTenantId,
  redirectUris: [...redirectUris],
  scopes: [],
  refreshTokens: 'session',
  ...{ secretHash: null, oldSecret: null, lastError: null, createTime: 0, updateTime: 0 },
  isDocument: true,
})

/** Our record of a client that the library has found. */
export const recordOf = (client: LibraryClient | undefined): Client | undefined =>
  client && (isDocument(client) ? toRecord(client) : (client[recordName] as Client | undefined))
