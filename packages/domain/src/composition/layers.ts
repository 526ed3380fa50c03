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

/** Whatever areas send over accounts, beside the messages of conversations. */
export const layerAllBulkSenders = layerBulkSendersOf(contributionsOf("accountSenders"))

/** Sends whatever can be sent now, over accounts that nobody else sends for. */
export const sendDueMessages = Effect.provide(runDueLanes(sendTask), layerAllBulkSenders)

/** What holds conversations that wait to be handed out, in all areas. */
const layerAllAutoAssignGates = layerAutoAssignGatesOf(contributionsOf("assignmentHolds"))

/** What areas give members to look after. */
const layerMemberResponsibilities = layerMemberResponsibilitiesOf(contributionsOf("assignments"))

/** What areas know of contacts, as fields of filters. */
const contactFilterFields = contributionsOf("contactFilterFields")

/** What other areas know of contacts, for filters of them. */
export const layerContactFilterFields = layerContactFilterFieldsOf(contactFilterFields)

/** The operators of every field of filters, as they are told to callers. */
export const contactFilterOperators = allFilterOperators(contactFilterFields)

/** What filters ask areas of a contact: each storage adapter answers all of these. */
export type ContactCondition = (typeof contactFilterFields)[number]["conditions"][number]

/** What areas hold of contacts. */
const allContactDataOwners = contributionsOf("contactHoldings")

/** What other areas hold of contacts, for what crm does with those. */
export const layerAllContactDataOwners = layerContactDataOwnersOf(allContactDataOwners)

/** Reads what happened with a contact, in all areas. */
export const readTimeline = makeReadTimeline(allContactDataOwners)

/** Reads everything that is known of one person, in all areas. */
export const exportContact = makeExportContact(allContactDataOwners)

/** Everything that deliveries come to: the sources of all areas. */
export const layerDeliverySources = layerDeliverySourcesOf(contributionsOf("deliverySources"))

/** Works through all deliveries whose time has come, of organizations that nobody else works for. */
export const processDueDeliveries = Effect.provide(runDueLanes(inboundDeliveryWorker), layerDeliverySources)

/** Every kind of job there is: the kinds of all areas. */
export const layerJobKinds = layerJobKindsOf(contributionsOf("jobs"))

/** What areas hold of orders. */
const layerAllOrderLifecycleHooks = layerOrderLifecycleHooks(contributionsOf("orderHoldings"))

/** What areas send outside of conversations, for what the inbox does with receipts. */
const layerAllBulkMessages = layerBulkMessagesOf(contributionsOf("outsideMessages"))

/** Those who ask plugins to act, in all areas. */
const layerAllPluginCallListeners = layerPluginCallListeners(contributionsOf("pluginCallEnds"))

/** What asks plugins to act, in all areas. */
const layerPluginDependents = layerDependentsOf(PluginDependents, contributionsOf("pluginUses"))

const layerRequesterPermissions = layerRequesterPermissionsOf(contributionsOf("requesters"))

/** What names schedules, in all areas. */
const layerScheduleDependents = layerDependentsOf(ScheduleDependents, contributionsOf("scheduleUses"))

/** What calls webhook subscriptions, in all areas. */
const layerSubscriptionDependents = layerDependentsOf(
  WebhookSubscriptionDependents,
  contributionsOf("subscriptionUses")
)

/** How much is used of what plans limit. */
const layerUsage = layerUsageOf(contributionsOf("limitUses"))

/** What begins workflows, from whichever area has them. */
const layerAllWorkflowStarters = layerWorkflowStarter(contributionsOf("workflowStarts"))

/** What areas do for each other through ports of their own, and what they remember on one process. It needs the storage, ids and the vault. */
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

/** The ports that areas fill for each other, and for themselves. */
export type AreaPorts = Layer.Success<typeof layerAreas>

/** Everything that is done in the background: the works of all areas. Bytes of files go after whatever names files. */
export const backgroundTasks = contributionsOf("works")

/** Does everything that is to be done in the background, in this process, beside whatever else it does. */
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

/** All kinds of credentials of the areas. */
export const credentials: ReadonlyArray<Credential> = contributionsOf("credentials")

/** All kinds of sealed values of the areas. */
export const sealedValues = contributionsOf("sealedValues")

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
