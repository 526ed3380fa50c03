import type { StoragePorts } from "@parley/domain"
import { Layer } from "effect"
import * as AuditLog from "./audit/AuditLog.ts"
import * as Automations from "./automation/Automations.ts"
import * as ChatAccounts from "./chat/ChatAccounts.ts"
import * as ChatNumbers from "./chat/ChatNumbers.ts"
import * as MessageTemplates from "./chat/MessageTemplates.ts"
import * as TemplateFetches from "./chat/TemplateFetches.ts"
import * as ContactFields from "./crm/ContactFields.ts"
import * as ContactHistory from "./crm/ContactHistory.ts"
import * as ContactImportRemains from "./crm/ContactImportRemains.ts"
import * as ContactImports from "./crm/ContactImports.ts"
import * as Contacts from "./crm/Contacts.ts"
import * as Duplicates from "./crm/Duplicates.ts"
import * as Segments from "./crm/Segments.ts"
import * as Suppressions from "./crm/Suppressions.ts"
import * as Tags from "./crm/Tags.ts"
import * as Deliveries from "./deliveries/Deliveries.ts"
import * as DeliveryInbox from "./deliveries/DeliveryInbox.ts"
import * as DocsCodeRedemption from "./docs-handoff/DocsCodeRedemption.ts"
import * as DocsCodes from "./docs-handoff/DocsCodes.ts"
import * as Plans from "./entitlements/Plans.ts"
import * as EventLog from "./events/EventLog.ts"
import * as EventSignals from "./events/EventSignals.ts"
import * as SubscriberDirectory from "./events/SubscriberDirectory.ts"
import * as Subscriptions from "./events/Subscriptions.ts"
import * as Files from "./files/Files.ts"
import * as FileSweep from "./files/FileSweep.ts"
import * as Accounts from "./identity/Accounts.ts"
import * as AutomationTokens from "./identity/AutomationTokens.ts"
import * as KnownAddresses from "./identity/KnownAddresses.ts"
import * as Members from "./identity/Members.ts"
import * as OrganizationDirectory from "./identity/OrganizationDirectory.ts"
import * as PasswordResets from "./identity/PasswordResets.ts"
import * as Organizations from "./identity/Organizations.ts"
import * as Sessions from "./identity/Sessions.ts"
import * as SigningKeys from "./identity/SigningKeys.ts"
import * as Users from "./identity/Users.ts"
import * as AssignedConversations from "./inbox/AssignedConversations.ts"
import * as CannedReplies from "./inbox/CannedReplies.ts"
import * as ContactConversations from "./inbox/ContactConversations.ts"
import * as Conversations from "./inbox/Conversations.ts"
import * as MediaLibrary from "./inbox/MediaLibrary.ts"
import * as MediaSweep from "./inbox/MediaSweep.ts"
import * as Messages from "./inbox/Messages.ts"
import * as Notes from "./inbox/Notes.ts"
import * as SendQueue from "./inbox/SendQueue.ts"
import * as Sends from "./inbox/Sends.ts"
import * as SnoozeClock from "./inbox/SnoozeClock.ts"
import * as JobQueue from "./jobs/JobQueue.ts"
import * as Jobs from "./jobs/Jobs.ts"
import * as Backlog from "./operations/Backlog.ts"
import * as IdempotencyKeys from "./kernel/IdempotencyKeys.ts"
import * as Locks from "./kernel/Locks.ts"
import * as Outbox from "./kernel/Outbox.ts"
import * as RateLimits from "./kernel/RateLimits.ts"
import * as MailQueue from "./mail/MailQueue.ts"
import * as UnitOfWork from "./kernel/UnitOfWork.ts"
import * as LaneQueue from "./work/LaneQueue.ts"
import * as Lanes from "./work/Lanes.ts"
import * as Shards from "./work/Shards.ts"
import * as Store from "./store/Store.ts"

/** Every storage port on one store in memory, empty at first. */
export const layer: Layer.Layer<StoragePorts> = Layer.mergeAll(
  Accounts.layer,
  AssignedConversations.layer,
  AuditLog.layer,
  Automations.layer,
  AutomationTokens.layer,
  Backlog.layer,
  KnownAddresses.layer,
  CannedReplies.layer,
  ChatAccounts.layer,
  ChatNumbers.layer,
  ContactConversations.layer,
  ContactFields.layer,
  ContactHistory.layer,
  ContactImportRemains.layer,
  ContactImports.layer,
  Contacts.layer,
  Conversations.layer,
  Deliveries.layer,
  DeliveryInbox.layer,
  DocsCodeRedemption.layer,
  DocsCodes.layer,
  Duplicates.layer,
  EventLog.layer,
  EventSignals.layer,
  Files.layer,
  FileSweep.layer,
  IdempotencyKeys.layer,
  JobQueue.layer,
  Jobs.layer,
  LaneQueue.layer,
  Lanes.layer,
  Locks.layer,
  MailQueue.layer,
  MediaLibrary.layer,
  MediaSweep.layer,
  Members.layer,
  Messages.layer,
  MessageTemplates.layer,
  TemplateFetches.layer,
  Notes.layer,
  OrganizationDirectory.layer,
  Organizations.layer,
  Outbox.layer,
  PasswordResets.layer,
  Plans.layer,
  RateLimits.layer,
  Segments.layer,
  SendQueue.layer,
  Sends.layer,
  Sessions.layer,
  Shards.layer,
  SigningKeys.layer,
  SnoozeClock.layer,
  SubscriberDirectory.layer,
  Subscriptions.layer,
  Suppressions.layer,
  Tags.layer,
  UnitOfWork.layer,
  Users.layer
).pipe(Layer.provide(Store.layer))
