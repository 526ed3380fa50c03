import { type Context, Effect, Layer } from "effect"
import { layerBroadcastAttribution } from "../analytics/index.ts"
import { type Area, ofAllAreas } from "../areas.ts"
import { layerWorkflowStartsOf } from "../automation/automations/index.ts"
import { ScheduleUses } from "../automation/schedules/index.ts"
import { layerOrderHoldingsOf, type StorePlatforms, type StoreSettings } from "../commerce/index.ts"
import {
  exportContactOf,
  layerContactFilterFieldsOf,
  layerContactHoldingsOf,
  operatorsWith,
  readTimelineOf
} from "../crm/index.ts"
import { layerPluginCallersOf, type PluginHosts, PluginUses } from "../integrations/plugins/index.ts"
import {
  SubscriptionUses,
  WebhookPaces,
  type WebhookSender,
  type WebhookSettings
} from "../integrations/webhooks/index.ts"
import {
  type Credential,
  type Cursors,
  type Ids,
  type KernelStorage,
  layerUsesOf,
  type Vault
} from "../kernel/index.ts"
import { type ChatChannels, type ChatSettings, OpenedSecrets } from "../messaging/chat/index.ts"
import {
  AccountPaces,
  layerAccountSendersOf,
  layerAssignmentHoldsOf,
  layerOutsideMessagesOf,
  MediaTurns,
  sends
} from "../messaging/inbox/index.ts"
import { layerBackgroundHealth, layerWorkersOf, workDue, type WorkersOptions } from "../platform/background/index.ts"
import { deliveries, layerDeliverySourcesOf } from "../platform/deliveries/index.ts"
import { layerFeatureGate, layerUsageOf } from "../platform/entitlements/index.ts"
import { layerFollowedLogs } from "../platform/events/index.ts"
import {
  layerAssignmentsOf,
  type PasswordHasher,
  type PasswordPolicy,
  type TokenSigner
} from "../platform/identity/index.ts"
import { layerJobKindsOf, layerRequesterRightsOf } from "../platform/jobs/index.ts"
import type { Mailer, MailSettings } from "../platform/mail/index.ts"
import { layerEventResources, layerEventTypes, layerSubscribers } from "./events.ts"

/** Whatever areas send over accounts, beside the messages of conversations. */
export const layerAccountSenders = layerAccountSendersOf(ofAllAreas("accountSenders"))

/** Sends whatever can be sent now, over accounts that nobody else sends for. */
export const sendDue = Effect.provide(workDue(sends), layerAccountSenders)

/** What holds conversations that wait to be handed out, in all areas. */
const layerAssignmentHolds = layerAssignmentHoldsOf(ofAllAreas("assignmentHolds"))

/** What areas give members to look after. */
const layerAssignments = layerAssignmentsOf(ofAllAreas("assignments"))

/** What areas know of contacts, as fields of filters. */
const contactFilterFields = ofAllAreas("contactFilterFields")

/** What other areas know of contacts, for filters of them. */
export const layerContactFilterFields = layerContactFilterFieldsOf(contactFilterFields)

/** The operators of every field of filters, as they are told to callers. */
export const contactFilterOperators = operatorsWith(contactFilterFields)

/** What filters ask areas of a contact: each storage adapter answers all of these. */
export type ContactCondition = (typeof contactFilterFields)[number]["conditions"][number]

/** What areas hold of contacts. */
const contactHoldings = ofAllAreas("contactHoldings")

/** What other areas hold of contacts, for what crm does with those. */
export const layerContactHoldings = layerContactHoldingsOf(contactHoldings)

/** Reads what happened with a contact, in all areas. */
export const readTimeline = readTimelineOf(contactHoldings)

/** Reads everything that is known of one person, in all areas. */
export const exportContact = exportContactOf(contactHoldings)

/** Everything that deliveries come to: the sources of all areas. */
export const layerDeliverySources = layerDeliverySourcesOf(ofAllAreas("deliverySources"))

/** Works through all deliveries whose time has come, of organizations that nobody else works for. */
export const workDeliveries = Effect.provide(workDue(deliveries), layerDeliverySources)

/** Every kind of job there is: the kinds of all areas. */
export const layerJobKinds = layerJobKindsOf(ofAllAreas("jobs"))

/** What areas hold of orders. */
const layerOrderHoldings = layerOrderHoldingsOf(ofAllAreas("orderHoldings"))

/** What areas send outside of conversations, for what the inbox does with receipts. */
const layerOutsideMessages = layerOutsideMessagesOf(ofAllAreas("outsideMessages"))

/** Those who ask plugins to act, in all areas. */
const layerPluginCallers = layerPluginCallersOf(ofAllAreas("pluginCallEnds"))

/** What asks plugins to act, in all areas. */
const layerPluginUses = layerUsesOf(PluginUses, ofAllAreas("pluginUses"))

const layerRequesterRights = layerRequesterRightsOf(ofAllAreas("requesters"))

/** What names schedules, in all areas. */
const layerScheduleUses = layerUsesOf(ScheduleUses, ofAllAreas("scheduleUses"))

/** What calls webhook subscriptions, in all areas. */
const layerSubscriptionUses = layerUsesOf(SubscriptionUses, ofAllAreas("subscriptionUses"))

/** How much is used of what plans limit. */
const layerUsage = layerUsageOf(ofAllAreas("limitUses"))

/** What begins workflows, from whichever area has them. */
const layerWorkflowStarts = layerWorkflowStartsOf(ofAllAreas("workflowStarts"))

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

/** Everything that is done in the background: the works of all areas. Bytes of files go after whatever names files. */
export const works = ofAllAreas("works")

/** Does everything that is to be done in the background, in this process, beside whatever else it does. */
export const layerWorkers = (options?: WorkersOptions) =>
  layerWorkersOf(works, options).pipe(
    Layer.provide([
      layerAccountSenders,
      layerDeliverySources,
      layerEventResources,
      layerJobKinds,
      Layer.provide(layerFollowedLogs, layerSubscribers)
    ]),
    Layer.provide(layerBackgroundHealth)
  )

/** All kinds of credentials of the areas. */
export const credentials: ReadonlyArray<Credential> = ofAllAreas("credentials")

/** All kinds of sealed values of the areas. */
export const sealedValues = ofAllAreas("sealedValues")

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
