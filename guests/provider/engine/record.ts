import type { Client as LibraryClient } from 'oidc-provider'
import type { Client } from '../repositories/clients.js'
import { recordName } from './client-metadata.js'

/** Our record of a client that the library has found. */
export const recordOf = (client: LibraryClient | undefined): Client | undefined =>
  client?.[recordName] as Client | undefined
