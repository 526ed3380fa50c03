import { type Context, Effect, Layer } from "effect"
import { layerBroadcastAttribution, layerOrderLifecycleHook } from "../analytics/index.ts"
import { type Area, contributionsOf } from "../areas.ts"
import { layerAutoAssignGate } from "../automation/automations/index.ts"
import { layerWorkflowStarter } from "../automation/workflows/index.ts"
import { layerBulkMessages, layerBulkSender } from "../campaigns/index.ts"
import type { StorePlatforms, StoreSettings } from "../commerce/index.ts"
import {
  makeExportContact,
  layerContactFilterFieldsOf,
  layerContactDataOwnersOf,
  allFilterOperators,
  makeReadTimeline
} from "../crm/index.ts"
import { layerActionCallListeners, type PluginHosts } from "../integrations/plugins/index.ts"
import { WebhookRateLimiter, type WebhookSender, type WebhookSettings } from "../integrations/webhooks/index.ts"
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
  layerMemberResponsibilities,
  layerTemplateSamples,
  MediaTransferLocks,
  MessageGroups,
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
import type { PasswordHasher, PasswordPolicy, TokenSigner } from "../platform/identity/index.ts"
import { layerJobKindsOf, layerRequesterPermissionsOf } from "../platform/jobs/index.ts"
import type { Mailer, MailSettings } from "../platform/mail/index.ts"
import { layerEventResources, layerEventTypes, layerEventConsumers } from "./events.ts"

/** Sends all due messages over accounts that no other process owns. */
export const sendDueMessages = Effect.provide(runDueLanes(sendTask), layerBulkSender)

/** Contact fields of the areas for filters. */
const contactFilterFields = contributionsOf("contactFilterFields")

/** Provides the contact fields of other areas to filters. */
export const layerContactFilterFields = layerContactFilterFieldsOf(contactFilterFields)

/** Documented operators of every filter field. */
export const contactFilterOperators = allFilterOperators(contactFilterFields)

/** Condition that a filter can apply to a contact. Each storage adapter supports all of them. */
export type ContactCondition = (typeof contactFilterFields)[number]["conditions"][number]

const isBlankedFirst = (owner: object): boolean => "isBlankedFirst" in owner

/** The end of a call locks the call before its run, so calls come before runs. */
const allContactDataOwners = contributionsOf("contactDataOwners").toSorted(
  (one, other) => Number(isBlankedFirst(other)) - Number(isBlankedFirst(one))
)

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

const layerAllActionCallListeners = layerActionCallListeners(contributionsOf("actionCallEnds"))

/** Resources of all areas that cannot work without another resource. */
const layerDependents = layerDependentsOf(contributionsOf("dependents"))

const layerRequesterPermissions = layerRequesterPermissionsOf(contributionsOf("requesters"))

const layerUsage = layerUsageOf(contributionsOf("limitUses"))

/**
 * Implementations of the ports between areas, and per-process caches. It requires the storage, ids and the vault. Lists run in the reverse order of
 * `areas`, which is the lock order.
 */
export const layerAreas = Layer.mergeAll(
  AccountPaces.layer,
  layerAutoAssignGate,
  layerMemberResponsibilities,
  layerTemplateSamples,
  layerBroadcastAttribution,
  layerContactFilterFields,
  layerAllContactDataOwners,
  layerEventTypes,
  layerFeatureGate,
  MediaTransferLocks.layer,
  MessageGroups.layer,
  OpenedSecretCache.layer,
  layerOrderLifecycleHook,
  layerBulkMessages,
  layerAllActionCallListeners,
  layerDependents,
  layerRequesterPermissions,
  layerUsage,
  WebhookRateLimiter.layer,
  Layer.provide(layerWorkflowStarter, layerContactFilterFields)
)

/** Ports that areas implement for each other and for themselves. */
export type AreaPorts = Layer.Success<typeof layerAreas>

/** Background tasks of all areas. File sweeps run after the owners of file references. */
export const backgroundTasks = contributionsOf("backgroundTasks")

/** Runs all background tasks in this process. */
export const layerWorkers = (options?: WorkersOptions) =>
  layerWorkersOf(backgroundTasks, options).pipe(
    Layer.provide([
      layerBulkSender,
      layerDeliverySources,
      layerEventResources,
      layerJobKinds,
      Layer.provide(layerEventConsumerRunner, layerEventConsumers)
    ]),
    Layer.provide(layerBackgroundHealth)
  )

export const credentials: ReadonlyArray<Credential> = contributionsOf("credentials")

export const sealedValues = contributionsOf("sealedValues")

/** Ports of a storage adapter: the ports of the kernel and of the manifest of each area. */
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
