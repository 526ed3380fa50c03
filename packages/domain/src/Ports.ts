import type { AuditLog } from "./audit/index.ts"
import type { Automations } from "./automation/index.ts"
import type { DocsCodeRedemption, DocsCodes } from "./docs-handoff/index.ts"
import type { Plans } from "./entitlements/index.ts"
import type { EventLog } from "./events/index.ts"
import type {
  Accounts,
  AutomationTokens,
  Members,
  OrganizationDirectory,
  Organizations,
  PasswordHasher,
  Sessions,
  SigningKeys,
  TokenSigner,
  Users
} from "./identity/index.ts"
import type {
  Cursors,
  FeatureGate,
  IdempotencyKeys,
  Ids,
  Locks,
  Outbox,
  RateLimits,
  UnitOfWork,
  Vault
} from "./kernel/index.ts"

/** What a storage adapter provides. */
export type StoragePorts =
  | Accounts
  | AuditLog
  | Automations
  | AutomationTokens
  | DocsCodeRedemption
  | DocsCodes
  | EventLog
  | IdempotencyKeys
  | Locks
  | Members
  | OrganizationDirectory
  | Organizations
  | Outbox
  | Plans
  | RateLimits
  | Sessions
  | SigningKeys
  | UnitOfWork
  | Users

/** What a security adapter provides. */
export type SecurityPorts = Cursors | Ids | PasswordHasher | TokenSigner | Vault

/** Everything the use cases need from outside. */
export type Ports = StoragePorts | SecurityPorts | FeatureGate
