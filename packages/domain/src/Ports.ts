import type { Context } from "effect"
import type { AreaPorts } from "./AreaPorts.ts"
import type { Area } from "./areas.ts"
import type { ChatChannels, ChatSettings } from "./messaging/chat/index.ts"
import type { PasswordPolicy, PasswordHasher, TokenSigner } from "./platform/identity/index.ts"
import type { Cursors, Ids, KernelStorage, Vault } from "./kernel/index.ts"
import type { MailSettings, Mailer } from "./platform/mail/index.ts"
import type { PluginHosts } from "./integrations/plugins/index.ts"
import type { StorePlatforms, StoreSettings } from "./commerce/index.ts"
import type { WebhookSender, WebhookSettings } from "./integrations/webhooks/index.ts"

/** What a storage adapter provides: what the kernel needs, and what each area names in its manifest. */
export type StoragePorts = KernelStorage | Context.Service.Identifier<Area["storage"][number]>

/** What a security adapter provides. */
export type SecurityPorts = PasswordPolicy | Cursors | Ids | PasswordHasher | TokenSigner | Vault

/** What the providers of chat, mail and stores, and receivers of webhooks, are reached through, and how that is set up. */
export type ProviderPorts =
  | ChatChannels
  | ChatSettings
  | Mailer
  | MailSettings
  | PluginHosts
  | StorePlatforms
  | StoreSettings
  | WebhookSender
  | WebhookSettings

/** Everything the use cases need from outside. */
export type Ports = StoragePorts | SecurityPorts | ProviderPorts | AreaPorts
