import type { AreaPorts } from "./AreaPorts.ts"
import type { AuditLog } from "./audit/index.ts"
import type { Automations } from "./automation/index.ts"
import type {
  ChatAccounts,
  ChatChannel,
  ChatNumbers,
  ChatSettings,
  MessageTemplates,
  TemplateFetches
} from "./chat/index.ts"
import type {
  ContactFields,
  ContactHistory,
  ContactImportRemains,
  ContactImports,
  Contacts,
  Duplicates,
  Segments,
  Suppressions,
  Tags
} from "./crm/index.ts"
import type { Deliveries, DeliveryInbox } from "./deliveries/index.ts"
import type { DocsCodeRedemption, DocsCodes } from "./docs-handoff/index.ts"
import type { Plans } from "./entitlements/index.ts"
import type { EventLog, EventSignals, SubscriberDirectory, Subscriptions } from "./events/index.ts"
import type { Files, FileSweep } from "./files/index.ts"
import type {
  Accounts,
  AutomationTokens,
  KnownAddresses,
  Members,
  OrganizationDirectory,
  Organizations,
  PasswordHasher,
  PasswordResets,
  Sessions,
  SigningKeys,
  TokenSigner,
  Users
} from "./identity/index.ts"
import type {
  AssignedConversations,
  CannedReplies,
  ContactConversations,
  Conversations,
  MediaLibrary,
  MediaSweep,
  Messages,
  Notes,
  SendQueue,
  Sends,
  SnoozeClock
} from "./inbox/index.ts"
import type { JobQueue, Jobs } from "./jobs/index.ts"
import type { Cursors, IdempotencyKeys, Ids, Locks, Outbox, RateLimits, UnitOfWork, Vault } from "./kernel/index.ts"
import type { Mailer, MailQueue, MailSettings } from "./mail/index.ts"
import type { Backlog } from "./operations/index.ts"
import type { LaneQueue, Lanes, Shards } from "./work/index.ts"

/** What a storage adapter provides. */
export type StoragePorts =
  | Accounts
  | AssignedConversations
  | AuditLog
  | Automations
  | AutomationTokens
  | Backlog
  | CannedReplies
  | ChatAccounts
  | ChatNumbers
  | ContactConversations
  | ContactFields
  | ContactHistory
  | ContactImportRemains
  | ContactImports
  | Contacts
  | Conversations
  | Deliveries
  | DeliveryInbox
  | DocsCodeRedemption
  | DocsCodes
  | Duplicates
  | EventLog
  | EventSignals
  | Files
  | FileSweep
  | IdempotencyKeys
  | JobQueue
  | Jobs
  | KnownAddresses
  | LaneQueue
  | Lanes
  | Locks
  | MailQueue
  | MediaLibrary
  | MediaSweep
  | Members
  | Messages
  | MessageTemplates
  | Notes
  | OrganizationDirectory
  | Organizations
  | Outbox
  | PasswordResets
  | Plans
  | RateLimits
  | Segments
  | SendQueue
  | Sends
  | Sessions
  | Shards
  | SigningKeys
  | SnoozeClock
  | SubscriberDirectory
  | Subscriptions
  | Suppressions
  | Tags
  | TemplateFetches
  | UnitOfWork
  | Users

/** What a security adapter provides. */
export type SecurityPorts = Cursors | Ids | PasswordHasher | TokenSigner | Vault

/** What the providers of chat and mail are reached through, and how that is set up. */
export type ProviderPorts = ChatChannel | ChatSettings | Mailer | MailSettings

/** Everything the use cases need from outside. */
export type Ports = StoragePorts | SecurityPorts | ProviderPorts | AreaPorts
