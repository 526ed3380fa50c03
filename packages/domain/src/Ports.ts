import type { AreaPorts } from "./AreaPorts.ts"
import type { AuditStorage } from "./audit/index.ts"
import type { AutomationStorage } from "./automation/index.ts"
import type { ChatChannels, ChatSettings, ChatStorage } from "./chat/index.ts"
import type { CrmStorage } from "./crm/index.ts"
import type { DeliveriesStorage } from "./deliveries/index.ts"
import type { DocsHandoffStorage } from "./docs-handoff/index.ts"
import type { EntitlementsStorage } from "./entitlements/index.ts"
import type { EventsStorage } from "./events/index.ts"
import type { FilesStorage } from "./files/index.ts"
import type { IdentityStorage, PasswordHasher, TokenSigner } from "./identity/index.ts"
import type { InboxStorage } from "./inbox/index.ts"
import type { JobsStorage } from "./jobs/index.ts"
import type { Cursors, Ids, KernelStorage, Vault } from "./kernel/index.ts"
import type { MailSettings, MailStorage, Mailer } from "./mail/index.ts"
import type { OperationsStorage } from "./operations/index.ts"
import type { WorkStorage } from "./work/index.ts"

/** What a storage adapter provides. */
export type StoragePorts =
  | KernelStorage
  | WorkStorage
  | AuditStorage
  | EntitlementsStorage
  | FilesStorage
  | MailStorage
  | JobsStorage
  | IdentityStorage
  | DocsHandoffStorage
  | EventsStorage
  | CrmStorage
  | ChatStorage
  | InboxStorage
  | DeliveriesStorage
  | AutomationStorage
  | OperationsStorage

/** What a security adapter provides. */
export type SecurityPorts = Cursors | Ids | PasswordHasher | TokenSigner | Vault

/** What the providers of chat and mail are reached through, and how that is set up. */
export type ProviderPorts = ChatChannels | ChatSettings | Mailer | MailSettings

/** Everything the use cases need from outside. */
export type Ports = StoragePorts | SecurityPorts | ProviderPorts | AreaPorts
