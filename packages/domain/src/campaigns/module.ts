import { DateTime, Effect, Schema } from "effect"
import { defineFilterField, type Filter, negated, someOf, timeOperators, valueReader } from "../crm/index.ts"
import { byId, byNothing, defineArea, eventResource, seenWith, transact } from "../kernel/index.ts"
import { ChatEvent } from "../messaging/chat/index.ts"
import { sweepTenants } from "../platform/background/index.ts"
import { defineSubscriber } from "../platform/events/index.ts"
import { Broadcast } from "./Broadcast.ts"
import { BroadcastSettings, StoredBroadcastSettings } from "./BroadcastSettings.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { ContactRecipients, recipientHolding } from "./ContactRecipients.ts"
import { ExpiredRecipients, sweepRecipients } from "./ExpiredRecipients.ts"
import { BroadcastId } from "./Ids.ts"
import { RecipientLedger } from "./RecipientLedger.ts"
import { RecipientList } from "./RecipientList.ts"
import { broadcastRecipientsUse, RecipientReservations } from "./RecipientReservations.ts"
import { Audiences } from "./audience/Audiences.ts"
import { snapshotKept } from "./audience/audienceSnapshots.ts"
import { openLane } from "./broadcastMoves.ts"
import { CampaignEvent } from "./events.ts"
import { RecipientReceipts, RecipientReplies } from "./receipts/RecipientReceipts.ts"
import { ButtonTaps } from "./receipts/answers.ts"
import { recipientMessages } from "./receipts/recipientMessages.ts"
import { BroadcastBuyers } from "./report/BroadcastAttribution.ts"
import { BroadcastReports } from "./report/BroadcastReport.ts"
import { endOfRemoved } from "./sending/changeStatus.ts"
import { broadcastSender } from "./sending/sendBroadcasts.ts"
import { getBroadcastSettings } from "./use-cases/broadcastSettings.ts"
import { getBroadcast } from "./use-cases/broadcasts.ts"

const isBroadcastId = Schema.is(BroadcastId)

const someBroadcasts = valueReader(someOf(BroadcastId), "Expected 1 to 50 ids of broadcasts")

const known =
  (condition: string) =>
  (values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })

const received = known("broadcast_received")

/** What a contact did with broadcasts: with one of those that are named. */
const broadcastField = defineFilterField({
  name: "broadcast",
  permission: "broadcasts.read",
  conditions: ["broadcast_received", "broadcast_read", "broadcast_replied", "broadcast_retried"],
  operators: () => ({
    received: (value, fail) => someBroadcasts(value, fail, received),
    not_received: (value, fail) => someBroadcasts(value, fail, (ids) => negated(received(ids))),
    read: (value, fail) => someBroadcasts(value, fail, known("broadcast_read")),
    replied: (value, fail) => someBroadcasts(value, fail, known("broadcast_replied"))
  }),
  names: "broadcast",
  find: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    return yield* (yield* Broadcasts).known(ids.filter((id) => isBroadcastId(id)))
  })
})

const lastBroadcastFieldKnown = (condition: string, at: DateTime.Utc | null = null): Filter => ({
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
        set: lastBroadcastFieldKnown("broadcast_ever"),
        before: (at) => lastBroadcastFieldKnown("broadcast_before", at),
        since: (at) => lastBroadcastFieldKnown("broadcast_since", at)
      },
      now
    ),
  names: null,
  find: () => Effect.succeed([])
})

/** Has the broadcasts of an account looked at once it has changed: its provider may let it send more than they wait for. */
const lookAgain = defineSubscriber({
  name: "campaigns.look_at_changed_accounts",
  schema: ChatEvent,
  events: ["chat_account.updated"],
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const ledger = yield* RecipientLedger
    for (const id of new Set(events.map(({ event }) => event.chatAccountId))) {
      if ((yield* ledger.active(id)).length > 0) yield* openLane(id)
    }
  })
})

/** Ends the broadcasts of an account that is removed, unless it is connected again by then. */
const endWithAccount = defineSubscriber({
  name: "campaigns.end_with_removed_accounts",
  schema: ChatEvent,
  events: ["chat_account.removed"],
  beginsWith: "next_event",
  batch: 10,
  handle: Effect.fnUntraced(function* (events) {
    for (const { event } of events) yield* endOfRemoved(event.chatAccountId)
  })
})

/** What this area does about events. */
const campaignsReactions = [endWithAccount, lookAgain] as const

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
const stride = 10_000

/** How many lists are let go of at once. */
const batch = 100

const sweepSnapshots = Effect.gen(function* () {
  const audiences = yield* Audiences
  const now = yield* DateTime.now
  while ((yield* transact(audiences.release(snapshotKept, batch))) >= batch) yield* Effect.yieldNow
  while ((yield* transact(audiences.forget(now, stride))) >= stride) yield* Effect.yieldNow
})

/** Lists of recipients that were kept for a preview or a broadcast, and the recipients of broadcasts, are deleted when they have expired. */
const campaignsWorks = [
  sweepTenants("audience snapshots", sweepSnapshots),
  sweepTenants("recipients of broadcasts", sweepRecipients)
] as const

/** The resources of the events of this area, as GET answers them. */
const campaignResources = [
  eventResource("broadcast", getBroadcast, Broadcast, byId("broadcastId", BroadcastId)),
  eventResource("broadcast_settings", getBroadcastSettings, BroadcastSettings, byNothing)
] as const

/** What this area says of itself. */
export const campaignsArea = defineArea({
  name: "campaigns",
  storage: campaignsStorage,
  contactFilterFields: [lastBroadcastField, broadcastField],
  events: seenWith(CampaignEvent, {
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
  contactHoldings: [recipientHolding],
  outsideMessages: [recipientMessages],
  permissions: ["broadcasts.read", "broadcasts.manage", "broadcasts.send"],
  reactions: campaignsReactions,
  works: campaignsWorks,
  limitUses: [broadcastRecipientsUse],
  eventResources: campaignResources
})
