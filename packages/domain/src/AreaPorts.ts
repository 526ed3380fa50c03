import { Layer } from "effect"
import { layerAssignmentHolds } from "./AssignmentHolds.ts"
import { layerAssignments } from "./Assignments.ts"
import { layerBroadcastAttribution } from "./analytics/index.ts"
import { OpenedSecrets } from "./messaging/chat/index.ts"
import { layerContactFilterFields } from "./ContactFilterFields.ts"
import { layerContactHoldings } from "./ContactHoldings.ts"
import { layerFeatureGate } from "./platform/entitlements/index.ts"
import { AccountPaces, MediaTurns } from "./messaging/inbox/index.ts"
import { layerOrderHoldings } from "./OrderHoldings.ts"
import { layerOutsideMessages } from "./OutsideMessages.ts"
import { layerPluginCallers } from "./PluginCallers.ts"
import { layerPluginUses } from "./PluginUses.ts"
import { layerEventTypes } from "./EventTypes.ts"
import { layerRequesterRights } from "./RequesterRights.ts"
import { layerScheduleUses } from "./ScheduleUses.ts"
import { layerSubscriptionUses } from "./SubscriptionUses.ts"
import { layerUsage } from "./Usage.ts"
import { WebhookPaces } from "./integrations/webhooks/index.ts"
import { layerWorkflowStarts } from "./WorkflowStarts.ts"

/** What areas do for each other through ports of their own, and what they remember on one process. It needs the storage, ids and the vault. */
export const layerAreas = Layer.mergeAll(
  AccountPaces.layer,
  layerAssignmentHolds,
  layerAssignments,
  layerBroadcastAttribution,
  layerContactFilterFields,
  layerContactHoldings,
  layerEventTypes,
  layerFeatureGate,
  MediaTurns.layer,
  OpenedSecrets.layer,
  layerOrderHoldings,
  layerOutsideMessages,
  layerPluginCallers,
  layerPluginUses,
  layerRequesterRights,
  layerScheduleUses,
  layerSubscriptionUses,
  layerUsage,
  WebhookPaces.layer,
  Layer.provide(layerWorkflowStarts, layerContactFilterFields)
)

/** The ports that areas fill for each other, and for themselves. */
export type AreaPorts = Layer.Success<typeof layerAreas>
