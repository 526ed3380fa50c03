import type { StoragePorts } from "@parley/domain"
import { Layer } from "effect"
import * as Analytics from "./analytics/layer.ts"
import * as Audit from "./audit/layer.ts"
import * as Automation from "./automation/layer.ts"
import * as Campaigns from "./campaigns/layer.ts"
import * as Chat from "./chat/layer.ts"
import * as Crm from "./crm/layer.ts"
import * as Deliveries from "./deliveries/layer.ts"
import * as DocsHandoff from "./docs-handoff/layer.ts"
import * as Entitlements from "./entitlements/layer.ts"
import * as Events from "./events/layer.ts"
import * as Files from "./files/layer.ts"
import * as Identity from "./identity/layer.ts"
import * as Inbox from "./inbox/layer.ts"
import * as Jobs from "./jobs/layer.ts"
import * as Kernel from "./kernel/layer.ts"
import * as Mail from "./mail/layer.ts"
import * as Operations from "./operations/layer.ts"
import * as Schedules from "./schedules/layer.ts"
import * as Stores from "./stores/layer.ts"
import * as Plugins from "./plugins/layer.ts"
import * as Webhooks from "./webhooks/layer.ts"
import * as Work from "./work/layer.ts"
import * as Workflows from "./workflows/layer.ts"
import * as Store from "./store/Store.ts"

/** Every storage port on one store in memory, empty at first. */
export const layer: Layer.Layer<StoragePorts> = Layer.mergeAll(
  Kernel.layer,
  Work.layer,
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
).pipe(Layer.provide(Store.layer))
