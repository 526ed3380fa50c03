import { DateTime, Effect, Schema } from "effect"
import { defineFilterField, type Filter, negateFilter, nonEmptyList, timeOperators, valueReader } from "../crm/index.ts"
import { idInput, noInput, defineArea, defineEventResource, defineEvents, transact } from "../kernel/index.ts"
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
import { BroadcastBuyers } from "./report/BroadcastAttribution.ts"
import { BroadcastReports } from "./report/BroadcastReport.ts"
import { handleRemovedAccount } from "./sending/changeStatus.ts"
import { affectedContacts, ZoneEvent, zoneEventTypes } from "./timing/zoneChanges.ts"
import { getBroadcastSettings } from "./use-cases/broadcastSettings.ts"
import { getBroadcast } from "./use-cases/broadcasts.ts"

const isBroadcastId = Schema.is(BroadcastId)

const readBroadcastIds = valueReader(nonEmptyList(BroadcastId), "Expected 1 to 50 ids of broadcasts")

const knownCondition =
  (condition: string) =>
  (values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })

const receivedCondition = knownCondition("broadcast_received")

/** Results of a contact in the named broadcasts. */
const broadcastField = defineFilterField({
  name: "broadcast",
  type: "ids",
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

/** Time of the last broadcast message to the contact that the provider accepted. */
const lastBroadcastField = defineFilterField({
  name: "lastBroadcastAt",
  type: "time",
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

/** Wakes the lane of an updated account, because its provider can allow more messages now. */
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

/** Ends the broadcasts of a removed account, unless it was connected again. */
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

/** Decides waiting recipients again after a change of their time zones. A change of all contacts affects only delayed recipients. */
const recallOnZoneChange = defineEventConsumer({
  name: "campaigns.recall_moved_contacts",
  schema: ZoneEvent,
  events: zoneEventTypes,
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const affected = affectedContacts(events)
    if (affected.length === 0) return
    const accounts =
      affected === "all"
        ? yield* (yield* RecipientLedger).recallAll()
        : yield* (yield* ContactRecipients).recall(affected, yield* DateTime.now)
    yield* Effect.forEach(accounts.toSorted(), scheduleBroadcastLane, { discard: true })
  })
})

const campaignsEventConsumers = [endOnAccountRemoval, recallOnZoneChange, scheduleOnAccountUpdate] as const

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

/** Batch size for deleted snapshot rows. */
const rowBatchSize = 10_000

/** Batch size for released snapshots. */
const batch = 100

const sweepSnapshots = Effect.gen(function* () {
  const audiences = yield* Audiences
  const now = yield* DateTime.now
  while ((yield* transact(audiences.release(snapshotRetention, batch))) >= batch) yield* Effect.yieldNow
  while ((yield* transact(audiences.forget(now, rowBatchSize))) >= rowBatchSize) yield* Effect.yieldNow
})

/** Background tasks that delete expired snapshots and expired recipients. */
const campaignsTasks = [
  sweepOrganizations("audience snapshots", sweepSnapshots),
  sweepOrganizations("recipients of broadcasts", sweepRecipients)
] as const

/** Resources in the events of this area, in the form of GET responses. */
const campaignResources = [
  defineEventResource("broadcast", getBroadcast, Broadcast, idInput("broadcastId", BroadcastId)),
  defineEventResource("broadcast_settings", getBroadcastSettings, BroadcastSettings, noInput)
] as const

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
  contactDataOwners: [recipientData],
  permissions: ["broadcasts.read", "broadcasts.manage", "broadcasts.send"],
  eventConsumers: campaignsEventConsumers,
  backgroundTasks: campaignsTasks,
  limitUses: [broadcastRecipientsUsage],
  eventResources: campaignResources
})
