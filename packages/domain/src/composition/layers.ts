import { type Context, Effect, Layer } from "effect"
import { layerBroadcastAttribution } from "../analytics/index.ts"
import { type Area, contributionsOf } from "../areas.ts"
import { layerWorkflowStarter } from "../automation/automations/index.ts"
import { ScheduleDependents } from "../automation/schedules/index.ts"
import { layerOrderLifecycleHooks, type StorePlatforms, type StoreSettings } from "../commerce/index.ts"
import {
  makeExportContact,
  layerContactFilterFieldsOf,
  layerContactDataOwnersOf,
  allFilterOperators,
  makeReadTimeline
} from "../crm/index.ts"
import { layerPluginCallListeners, type PluginHosts, PluginDependents } from "../integrations/plugins/index.ts"
import {
  WebhookSubscriptionDependents,
  WebhookRateLimiter,
  type WebhookSender,
  type WebhookSettings
} from "../integrations/webhooks/index.ts"
import {
  type Credential,
  type Cursors,
  type Ids,
  type KernelStorage,
  layerDependentsOf,
  type Vault
} from "../kernel/index.ts"
import { type ChatChannels, type ChatSettings, OpenedSecretCache } from "../messaging/chat/index.ts"
import {
  AccountPaces,
  layerBulkSendersOf,
  layerAutoAssignGatesOf,
  layerBulkMessagesOf,
  MediaTransferLocks,
  sendTask
} from "../messaging/inbox/index.ts"
import {
  layerBackgroundHealth,
  layerWorkersOf,
  runDueLanes,
  type WorkersOptions
} from "../platform/background/index.ts"
import { inboundDeliveryWorker, layerDeliverySourcesOf } from "../platform/deliveries/index.ts"
import { layerFeatureGate, layerUsageOf } from "../platform/entitlements/index.ts"
import { layerEventConsumerRunner } from "../platform/events/index.ts"
import {
  layerMemberResponsibilitiesOf,
  type PasswordHasher,
  type PasswordPolicy,
  type TokenSigner
} from "../platform/identity/index.ts"
import { layerJobKindsOf, layerRequesterPermissionsOf } from "../platform/jobs/index.ts"
import type { Mailer, MailSettings } from "../platform/mail/index.ts"
import { layerEventResources, layerEventTypes, layerEventConsumers } from "./events.ts"

/** Bulk senders of all areas over accounts, in addition to messages of conversations. */
export const layerAllBulkSenders = layerBulkSendersOf(contributionsOf("accountSenders"))

/** Sends all due messages over accounts that no other process owns. */
export const sendDueMessages = Effect.provide(runDueLanes(sendTask), layerAllBulkSenders)

/** Conditions of all areas that delay automatic assignment. */
const layerAllAutoAssignGates = layerAutoAssignGatesOf(contributionsOf("assignmentHolds"))

const layerMemberResponsibilities = layerMemberResponsibilitiesOf(contributionsOf("assignments"))

/** Contact fields of the areas for filters. */
const contactFilterFields = contributionsOf("contactFilterFields")

/** Provides the contact fields of other areas to filters. */
export const layerContactFilterFields = layerContactFilterFieldsOf(contactFilterFields)

/** Documented operators of every filter field. */
export const contactFilterOperators = allFilterOperators(contactFilterFields)

/** Condition that a filter can apply to a contact. Each storage adapter supports all of them. */
export type ContactCondition = (typeof contactFilterFields)[number]["conditions"][number]

const allContactDataOwners = contributionsOf("contactHoldings")

/** Provides the contact data owners of other areas to crm. */
export const layerAllContactDataOwners = layerContactDataOwnersOf(allContactDataOwners)

/** Reads the timeline of a contact from all areas. */
export const readTimeline = makeReadTimeline(allContactDataOwners)

/** Reads all data of one person from all areas. */
export const exportContact = makeExportContact(allContactDataOwners)

/** Delivery sources of all areas. */
export const layerDeliverySources = layerDeliverySourcesOf(contributionsOf("deliverySources"))

/** Processes all due deliveries of organizations that no other process owns. */
export const processDueDeliveries = Effect.provide(runDueLanes(inboundDeliveryWorker), layerDeliverySources)

/** Job kinds of all areas. */
export const layerJobKinds = layerJobKindsOf(contributionsOf("jobs"))

const layerAllOrderLifecycleHooks = layerOrderLifecycleHooks(contributionsOf("orderHoldings"))

/** Messages that areas send outside of conversations, for receipt handling in the inbox. */
const layerAllBulkMessages = layerBulkMessagesOf(contributionsOf("outsideMessages"))

const layerAllPluginCallListeners = layerPluginCallListeners(contributionsOf("pluginCallEnds"))

/** Resources of all areas that call plugins. */
const layerPluginDependents = layerDependentsOf(PluginDependents, contributionsOf("pluginUses"))

const layerRequesterPermissions = layerRequesterPermissionsOf(contributionsOf("requesters"))

/** Resources of all areas that reference schedules. */
const layerScheduleDependents = layerDependentsOf(ScheduleDependents, contributionsOf("scheduleUses"))

/** Resources of all areas that call webhook subscriptions. */
const layerSubscriptionDependents = layerDependentsOf(
  WebhookSubscriptionDependents,
  contributionsOf("subscriptionUses")
)

const layerUsage = layerUsageOf(contributionsOf("limitUses"))

/** Workflow starters of all areas. */
const layerAllWorkflowStarters = layerWorkflowStarter(contributionsOf("workflowStarts"))

/** Implementations of the ports between areas, and per-process caches. It requires the storage, ids and the vault. */
export const layerAreas = Layer.mergeAll(
  AccountPaces.layer,
  layerAllAutoAssignGates,
  layerMemberResponsibilities,
  layerBroadcastAttribution,
  layerContactFilterFields,
  layerAllContactDataOwners,
  layerEventTypes,
  layerFeatureGate,
  MediaTransferLocks.layer,
  OpenedSecretCache.layer,
  layerAllOrderLifecycleHooks,
  layerAllBulkMessages,
  layerAllPluginCallListeners,
  layerPluginDependents,
  layerRequesterPermissions,
  layerScheduleDependents,
  layerSubscriptionDependents,
  layerUsage,
  WebhookRateLimiter.layer,
  Layer.provide(layerAllWorkflowStarters, layerContactFilterFields)
)

/** Ports that areas implement for each other and for themselves. */
export type AreaPorts = Layer.Success<typeof layerAreas>

/** Background tasks of all areas. File sweeps run after the owners of file references. */
export const backgroundTasks = contributionsOf("works")

/** Runs all background tasks in this process. */
export const layerWorkers = (options?: WorkersOptions) =>
  layerWorkersOf(backgroundTasks, options).pipe(
    Layer.provide([
      layerAllBulkSenders,
      layerDeliverySources,
      layerEventResources,
      layerJobKinds,
      Layer.provide(layerEventConsumerRunner, layerEventConsumers)
    ]),
    Layer.provide(layerBackgroundHealth)
  )

export const credentials: ReadonlyArray<Credential> = contributionsOf("credentials")

export const sealedValues = contributionsOf("sealedValues")

/** Ports of a storage adapter: those of the kernel and those in the manifest of each area. */
export type StoragePorts = KernelStorage | Context.Service.Identifier<Area["storage"][number]>

/** Ports of a security adapter. */
export type SecurityPorts = PasswordPolicy | Cursors | Ids | PasswordHasher | TokenSigner | Vault

/** Ports and configuration of chat, mail and store providers, and of webhook receivers. */
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

/** All ports that the use cases require. */
export type Ports = StoragePorts | SecurityPorts | ProviderPorts | AreaPorts
