import type { StoragePorts } from "@parley/domain/composition"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Analytics from "./analytics/layer.ts"
import * as Audit from "./platform/audit/layer.ts"
import * as Automation from "./automation/automations/layer.ts"
import * as Campaigns from "./campaigns/layer.ts"
import * as Chat from "./messaging/chat/layer.ts"
import * as Crm from "./crm/layer.ts"
import * as Deliveries from "./platform/deliveries/layer.ts"
import * as DocsHandoff from "./platform/docs-handoff/layer.ts"
import * as Entitlements from "./platform/entitlements/layer.ts"
import * as Events from "./platform/events/layer.ts"
import * as Files from "./platform/files/layer.ts"
import * as Identity from "./platform/identity/layer.ts"
import * as Inbox from "./messaging/inbox/layer.ts"
import * as Jobs from "./platform/jobs/layer.ts"
import * as Kernel from "./kernel/layer.ts"
import * as Mail from "./platform/mail/layer.ts"
import * as Operations from "./platform/operations/layer.ts"
import * as Plugins from "./integrations/plugins/layer.ts"
import * as Schedules from "./automation/schedules/layer.ts"
import * as Stores from "./commerce/layer.ts"
import * as Webhooks from "./integrations/webhooks/layer.ts"
import * as Background from "./platform/background/layer.ts"
import * as Workflows from "./automation/workflows/layer.ts"
import * as Notifications from "./platform/events/Notifications.ts"
import * as RecentReads from "./kernel/RecentReads.ts"

export * as Backup from "./Backup.ts"
export * as Database from "./Database.ts"
export * as Embedded from "./Embedded.ts"
export * as Inspection from "./Inspection.ts"
export * as Migrations from "./Migrations.ts"
export * from "./embedded/Errors.ts"
export {
  DatabaseBeforeBaselines,
  DatabaseNewerThanCode,
  type DatabaseRefusal,
  MigrationBlocked,
  OlderProcesses
} from "./Migrations.ts"

/** All storage ports on a migrated PostgreSQL database. */
export const layer: Layer.Layer<StoragePorts, never, SqlClient.SqlClient> = Layer.mergeAll(
  Kernel.layer,
  Background.layer,
  Audit.layer,
  Entitlements.layer,
  Files.layer,
  Mail.layer,
  Jobs.layer,
  Identity.layer,
  DocsHandoff.layer,
  Events.layer,
  Crm.layer,
  Chat.layer,
  Inbox.layer,
  Deliveries.layer,
  Campaigns.layer,
  Stores.layer,
  Analytics.layer,
  Webhooks.layer,
  Plugins.layer,
  Schedules.layer,
  Automation.layer,
  Workflows.layer,
  Operations.layer
).pipe(Layer.provide([RecentReads.layer, Notifications.layer]))
