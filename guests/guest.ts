import type { TSchema } from '@sinclair/typebox'
import type { Command } from 'commander'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Finding } from '../cli/doctor/finding.js'
import type { GuestTables } from '../db/guest-tables.js'
import type { Database } from '../db/index.js'
import type { Installation } from '../plugins/run/config/installation.js'
import type { Variable } from '../schemas/environment.js'
import type { ProblemText } from '../schemas/problems.js'
import type { Settings } from '../schemas/settings.js'

/** What commands of a guest work with. */
export interface CommandTools {
  /** Builds the app of the installation in `DATA_DIR`, which must exist, passes it to `work` and closes it. Refuses where the guest is switched off. */
  withInstalledApp: <T>(work: (app: FastifyInstance) => Promise<T>) => Promise<T>
  /** Prints the result: a sentence, or with `--json` the value. */
  report: (options: { json?: boolean }, value: unknown, sentence: string) => void
  /** The command of the house with that name, such as `user`, to which a guest adds a command of its own. Throws where there is none. */
  commandNamed: (name: string) => Command
}

/** Adds commands to the program, or to commands of the house. */
export type RegisterCommands = (program: Command, tools: CommandTools) => void

/** A feature that stands on the house and that nothing calls: its folder, and its line in `list.ts`. */
export interface Guest {
  /** Its folder: lower-case letters only, because its tables begin with it. */
  name: string
  /** The blocks of the configuration that it reads, by their names; it declares them in `GuestSettings`, too. Commands do not load them. */
  settings?: () => Promise<Record<string, TSchema>>
  /** Faults of the settings that no schema tells, by the path of the setting. */
  faultsOf?: (settings: Settings) => { path: string; message: string }[]
  /** Environment variables that override its settings. */
  environment?: readonly Variable[]
  /** Reasons of refusals; it declares them in `GuestProblems`, too. */
  problems?: Record<string, ProblemText>
  /** Permissions that its routes ask for; it declares them in `GuestPermissions`, too. */
  permissions?: readonly string[]
  /** What its rows of the audit trail say was done, each with its meaning; it declares them in `GuestAuditActions`, too. */
  auditActions?: Record<string, string>
  /** Its tables and repositories; it declares them in `OtherTables` and `GuestRepositories`, too. They are there even while it is switched off. */
  tables?: () => Promise<GuestTables>
  /** Adds its commands. Every start of `rollcall` loads it, so what they need to work is loaded when one runs. The service does not load it. */
  commands?: () => Promise<{ default: RegisterCommands }>
  /** What `rollcall doctor` says of it; asked only where it is switched on and the schema is up to date. */
  doctor?: (installation: Installation, db: Database) => Promise<Finding[]>
  /** Whether its folder `pages/` brings something to the console, to the account page or to the sign-in page. */
  hasPages?: true | ((settings: Settings) => boolean)
  /** Whether the settings have it on; what follows is loaded only then. */
  isOn: (settings: Settings) => boolean
  /** Its decorators, which commands have, too. */
  service?: () => Promise<{ default: FastifyPluginAsync }>
  /** The named shapes of its routes. They are there before any route, because Fastify forgets our validator where shapes come later. */
  components?: () => Promise<TSchema[]>
  /** What answers requests. */
  routes?: () => Promise<{ default: FastifyPluginAsync }>
}
