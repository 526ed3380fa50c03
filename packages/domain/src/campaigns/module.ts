import { DateTime, Effect, Schema } from "effect"
import { defineFilterField, type Filter, negateFilter, nonEmptyList, timeOperators, valueReader } from "../crm/index.ts"
import { idArgument, noArguments, defineArea, defineEventResource, defineEvents, transact } from "../kernel/index.ts"
import { ChatEvent } from "../messaging/chat/index.ts"
import { sweepOrganizations } from "../platform/background/index.ts"
import { defineEventConsumer } from "../platform/events/index.ts"
import { Broadcast } from "./Broadcast.ts"
import { BroadcastSettings, StoredBroadcastSettings } from "./BroadcastSettings.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { ContactRecipients, recipientData } from "./ContactRecipients.ts"
import { ExpiredRecipients, sweepRecipients } from "./ExpiredRecipients.ts"
import { BroadcastId } from "./Ids.ts"
import { RecipientLedger } from "./RecipientLedger.ts"
import { RecipientList } from "./RecipientList.ts"
import { broadcastRecipientsUsage, RecipientReservations } from "./RecipientReservations.ts"
import { Audiences } from "./audience/Audiences.ts"
import { snapshotRetention } from "./audience/audienceSnapshots.ts"
import { scheduleBroadcastLane } from "./broadcastChanges.ts"
import { CampaignEvent } from "./events.ts"
import { RecipientReceipts, RecipientReplies } from "./receipts/RecipientReceipts.ts"
import { ButtonTaps } from "./receipts/replies.ts"
import { recipientMessages } from "./receipts/recipientMessages.ts"
import { BroadcastBuyers } from "./report/BroadcastAttribution.ts"
import { BroadcastReports } from "./report/BroadcastReport.ts"
import { handleRemovedAccount } from "./sending/changeStatus.ts"
import { broadcastSender } from "./sending/sendBroadcasts.ts"
import { getBroadcastSettings } from "./use-cases/broadcastSettings.ts"
import { getBroadcast } from "./use-cases/broadcasts.ts"

const isBroadcastId = Schema.is(BroadcastId)

const readBroadcastIds = valueReader(nonEmptyList(BroadcastId), "Expected 1 to 50 ids of broadcasts")

const knownCondition =
  (condition: string) =>
  (values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })

const receivedCondition = knownCondition("broadcast_received")

/** What a contact did with broadcasts: with one of those that are named. */
const broadcastField = defineFilterField({
  name: "broadcast",
  permission: "broadcasts.read",
  conditions: ["broadcast_received", "broadcast_read", "broadcast_replied", "broadcast_retried"],
  operators: () => ({
    received: (value, fail) => readBroadcastIds(value, fail, receivedCondition),
    not_received: (value, fail) => readBroadcastIds(value, fail, (ids) => negateFilter(receivedCondition(ids))),
    read: (value, fail) => readBroadcastIds(value, fail, knownCondition("broadcast_read")),
    replied: (value, fail) => readBroadcastIds(value, fail, knownCondition("broadcast_replied"))
  }),
  names: "broadcast",
  find: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    return yield* (yield* Broadcasts).known(ids.filter((id) => isBroadcastId(id)))
  })
})

const lastBroadcastCondition = (condition: string, at: DateTime.Utc | null = null): Filter => ({
  kind: "known",
  condition,
  values: at === null ? [] : [DateTime.formatIso(at)]
})

/** When a contact got a broadcast last: when the provider accepted it. */
const lastBroadcastField = defineFilterField({
  name: "lastBroadcastAt",
  permission: "broadcasts.read",
  conditions: ["broadcast_ever", "broadcast_before", "broadcast_since"],
  operators: (now) =>
    timeOperators(
      {
        set: lastBroadcastCondition("broadcast_ever"),
        before: (at) => lastBroadcastCondition("broadcast_before", at),
        since: (at) => lastBroadcastCondition("broadcast_since", at)
      },
      now
    ),
  names: null,
  find: () => Effect.succeed([])
})

/** Has the broadcasts of an account looked at once it has changed: its provider may let it send more than they wait for. */
const scheduleOnAccountUpdate = defineEventConsumer({
  name: "campaigns.look_at_changed_accounts",
  schema: ChatEvent,
  events: ["chat_account.updated"],
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const ledger = yield* RecipientLedger
    for (const id of new Set(events.map(({ event }) => event.chatAccountId))) {
      if ((yield* ledger.active(id)).length > 0) yield* scheduleBroadcastLane(id)
    }
  })
})

/** Ends the broadcasts of an account that is removed, unless it is connected again by then. */
const endOnAccountRemoval = defineEventConsumer({
  name: "campaigns.end_with_removed_accounts",
  schema: ChatEvent,
  events: ["chat_account.removed"],
  beginsWith: "next_event",
  batch: 10,
  handle: Effect.fnUntraced(function* (events) {
    for (const { event } of events) yield* handleRemovedAccount(event.chatAccountId)
  })
})

/** What this area does about events. */
const campaignsEventConsumers = [endOnAccountRemoval, scheduleOnAccountUpdate] as const

/** The ports that a storage adapter provides of this area. */
const campaignsStorage = [
  Audiences,
  BroadcastBuyers,
  BroadcastReports,
  Broadcasts,
  ButtonTaps,
  ContactRecipients,
  ExpiredRecipients,
  RecipientLedger,
  RecipientList,
  RecipientReceipts,
  RecipientReplies,
  RecipientReservations,
  StoredBroadcastSettings
] as const

/** How many rows of lists that were kept are deleted at once. */
const rowBatchSize = 10_000

/** How many lists are let go of at once. */
const batch = 100

const sweepSnapshots = Effect.gen(function* () {
  const audiences = yield* Audiences
  const now = yield* DateTime.now
  while ((yield* transact(audiences.release(snapshotRetention, batch))) >= batch) yield* Effect.yieldNow
  while ((yield* transact(audiences.forget(now, rowBatchSize))) >= rowBatchSize) yield* Effect.yieldNow
})

/** Lists of recipients that were kept for a preview or a broadcast, and the recipients of broadcasts, are deleted when they have expired. */
const campaignsTasks = [
  sweepOrganizations("audience snapshots", sweepSnapshots),
  sweepOrganizations("recipients of broadcasts", sweepRecipients)
] as const

/** The resources of the events of this area, as GET answers them. */
const campaignResources = [
  defineEventResource("broadcast", getBroadcast, Broadcast, idArgument("broadcastId", BroadcastId)),
  defineEventResource("broadcast_settings", getBroadcastSettings, BroadcastSettings, noArguments)
] as const

/** What this area says of itself. */
export const campaignsArea = defineArea({
  name: "campaigns",
  storage: campaignsStorage,
  contactFilterFields: [lastBroadcastField, broadcastField],
  events: defineEvents(CampaignEvent, {
    "broadcast.created": "broadcasts.read",
    "broadcast.updated": "broadcasts.read",
    "broadcast.deleted": "broadcasts.read",
    "broadcast.status_changed": "broadcasts.read",
    "broadcast.progressed": "broadcasts.read",
    "broadcast.replied": "broadcasts.read",
    "broadcast.opted_out": "broadcasts.read",
    "broadcast_settings.updated": "broadcasts.read"
  }),
  accountSenders: [broadcastSender],
  contactHoldings: [recipientData],
  outsideMessages: [recipientMessages],
  permissions: ["broadcasts.read", "broadcasts.manage", "broadcasts.send"],
  reactions: campaignsEventConsumers,
  works: campaignsTasks,
  limitUses: [broadcastRecipientsUsage],
  eventResources: campaignResources
})
