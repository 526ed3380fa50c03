import {
  AudiencePreview,
  AudienceSnapshotId,
  Broadcast,
  BroadcastId,
  BroadcastPatch,
  BroadcastRecipient,
  BroadcastReport,
  BroadcastSettings,
  BroadcastSettingsPatch,
  BroadcastSimulation,
  BroadcastStatus,
  BroadcastTest,
  CancelledBroadcast,
  ChatAccountId,
  ContactId,
  ExclusionReason,
  NewAudiencePreview,
  NewBroadcast,
  NewBroadcastSimulation,
  NewBroadcastTest,
  Page,
  Prose,
  RecipientStatus,
  Schedule,
  Timestamp,
  VariantKey
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const broadcast = idOf(BroadcastId, "broadcast")

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

/** What a broadcast may be started with. */
const Start = Schema.Struct({
  schedule: Schema.optionalKey(Schedule).annotateKey({ description: "The broadcast's own if it is absent." }),
  audienceSnapshotId: Schema.optionalKey(AudienceSnapshotId).annotateKey({
    description: "The list of recipients that a preview has kept; who matches at the start, if it is absent."
  })
}).annotate({ identifier: "BroadcastStart" })

const Copy = Schema.Struct({
  name: Schema.optionalKey(NewBroadcast.fields.name).annotateKey({ description: "The same name if it is absent." })
}).annotate({ identifier: "BroadcastCopy" })

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Broadcasts: one message to many contacts. */
export class BroadcastsApi extends HttpApiGroup.make("broadcasts")
  .add(
    HttpApiEndpoint.get("list", "/broadcasts", {
      query: {
        ...PageQuery,
        status: Schema.optionalKey(BroadcastStatus).annotateKey({ description: "Only broadcasts in this status." }),
        chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
          description: "Only broadcasts over this chat account, which may have been removed since."
        }),
        q: Schema.optionalKey(
          Prose.check(Schema.isBetweenCodePoints(1, 120, { message: "Expected 1 to 120 characters" }))
        ).annotateKey({ description: "A part of the name. Case and accents make no difference." }),
        createdFrom: time("Only broadcasts made at this time or later."),
        createdTo: time("Only broadcasts made before this time.")
      },
      success: Page(Broadcast),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(describe("listBroadcasts", "List broadcasts", "Newest first.")),
    HttpApiEndpoint.post("create", "/broadcasts", {
      payload: NewBroadcast,
      success: Broadcast.pipe(HttpApiSchema.status(201)),
      error: read
    })
      .annotateMerge(
        describe(
          "createBroadcast",
          "Draft a broadcast",
          "A draft may leave out what sending needs; what is given must be right. Setting `ignoreFrequencyCaps` or `ignoreQuietHours` needs the permission `broadcasts.send`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("preview", "/broadcasts/audience_preview", {
      payload: NewAudiencePreview,
      success: AudiencePreview,
      error: [...read, Problems.UnsupportedByChannel]
    })
      .annotateMerge(
        describe(
          "previewAudience",
          "Preview whom a broadcast would go to",
          "Counts who matches, who would get nothing, each by the first reason that holds, and how the message looks for ten of the others. It takes the fields of a broadcast; `chatAccountId` and `audience` are required. With `freeze` it keeps exactly this list for 24 hours: a broadcast that is scheduled or sent with `audienceSnapshotId` goes to those, less who has opted out since."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/broadcasts/:id", {
      params: broadcast,
      success: Broadcast,
      error: read
    }).annotateMerge(
      describe(
        "getBroadcast",
        "Read a broadcast",
        "`stats` is current: `matched` is the sum of the ten other counts, and grows until `frozenAt`."
      )
    ),
    HttpApiEndpoint.get("recipients", "/broadcasts/:id/recipients", {
      params: broadcast,
      query: {
        ...PageQuery,
        status: Schema.optionalKey(RecipientStatus).annotateKey({ description: "Only recipients in this status." }),
        reason: Schema.optionalKey(ExclusionReason).annotateKey({
          description: "Only those who are excluded for this reason."
        }),
        variant: Schema.optionalKey(VariantKey).annotateKey({ description: "Only those of this variant." }),
        replied: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "Only those who have replied, or who have not."
        }),
        contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only this contact." })
      },
      success: Page(BroadcastRecipient),
      error: [...read, Problems.CursorInvalid, Problems.RecipientsExpired]
    }).annotateMerge(
      describe(
        "listBroadcastRecipients",
        "List whom a broadcast goes to",
        "Everybody of the audience once, also who is excluded or held out, in the order of the list. A page may hold fewer than asked for, or none, and have a `nextCursor`: then more may follow. Kept for 180 days after the end."
      )
    ),
    HttpApiEndpoint.get("report", "/broadcasts/:id/report", {
      params: broadcast,
      success: BroadcastReport,
      error: read
    }).annotateMerge(
      describe(
        "readBroadcastReport",
        "Read what has come of a broadcast",
        "Counted from its recipients at `asOf`. `delivered` counts those who have read it too."
      )
    ),
    HttpApiEndpoint.post("simulate", "/broadcasts/:id/simulate", {
      params: broadcast,
      payload: NewBroadcastSimulation,
      success: BroadcastSimulation,
      error: [...read, Problems.UnsupportedByChannel]
    })
      .annotateMerge(
        describe(
          "simulateBroadcast",
          "Reckon how a broadcast would go",
          "By the account's rate and daily limit, the throttle, quiet hours and the window, all by the clock of the organization. Nothing is sent or kept."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("test", "/broadcasts/:id/test", {
      params: broadcast,
      payload: NewBroadcastTest,
      success: BroadcastTest,
      error: [...read, Problems.TemplateNotApproved, Problems.ChatAccountDisconnected, Problems.BroadcastTestsThrottled]
    })
      .annotateMerge(
        describe(
          "testBroadcast",
          "Try a broadcast with a few numbers",
          "Sends it to them at once, with the values of `contactId`. It counts in no statistics, caps or plan. At most 20 messages an hour; whoever is blocked or has opted out is refused."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", "/broadcasts/:id", {
      params: broadcast,
      headers: IfMatch,
      payload: BroadcastPatch,
      success: Broadcast,
      error: [
        ...changed,
        Problems.BroadcastNotEditable,
        Problems.TemplateNotApproved,
        Problems.ChatAccountDisconnected,
        Problems.AudienceSnapshotExpired,
        Problems.AudienceSnapshotMismatch
      ]
    }).annotateMerge(
      describe(
        "updateBroadcast",
        "Change a broadcast",
        "While it is a draft or scheduled. One that is scheduled with a list of recipients that was kept stays what that list was made from. One that is scheduled has to stay ready to be sent, and takes the permission `broadcasts.send`, and so does setting `ignoreFrequencyCaps` or `ignoreQuietHours`."
      )
    ),
    HttpApiEndpoint.delete("delete", "/broadcasts/:id", {
      params: broadcast,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.BroadcastNotEditable]
    }).annotateMerge(
      describe("deleteBroadcast", "Delete a draft of a broadcast", "Whatever was sent stays to be read.")
    ),
    HttpApiEndpoint.post("schedule", "/broadcasts/:id/schedule", {
      params: broadcast,
      headers: IfMatch,
      payload: Start,
      success: Broadcast,
      error: [
        ...changed,
        Problems.AudienceSnapshotExpired,
        Problems.AudienceSnapshotMismatch,
        Problems.BroadcastTransitionInvalid,
        Problems.TemplateNotApproved,
        Problems.ChatAccountDisconnected
      ]
    })
      .annotateMerge(
        describe(
          "scheduleBroadcast",
          "Have a broadcast start at its time",
          "Everything that sending needs is checked: each part that is not ready is a fault, with a pointer into the broadcast. Nothing is frozen or reserved before it starts."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("unschedule", "/broadcasts/:id/unschedule", {
      params: broadcast,
      headers: IfMatch,
      success: Broadcast,
      error: [...changed, Problems.BroadcastTransitionInvalid]
    })
      .annotateMerge(describe("unscheduleBroadcast", "Make a draft of a scheduled broadcast again"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("send", "/broadcasts/:id/send", {
      params: broadcast,
      headers: IfMatch,
      payload: Start,
      success: Broadcast.pipe(HttpApiSchema.status(202)),
      error: [
        ...changed,
        Problems.AudienceSnapshotExpired,
        Problems.AudienceSnapshotMismatch,
        Problems.BroadcastTransitionInvalid,
        Problems.TemplateNotApproved,
        Problems.ChatAccountDisconnected,
        Problems.AudienceEmpty,
        Problems.PlanLimitReached,
        Problems.UnsupportedByChannel
      ]
    })
      .annotateMerge(
        describe(
          "sendBroadcast",
          "Send a broadcast now",
          "It starts at once, whenever it was scheduled for; `window` and `endBy` hold. Messages of conversations go before it. Of two requests at the same time, one wins."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("pause", "/broadcasts/:id/pause", {
      params: broadcast,
      success: Broadcast,
      error: [...read, Problems.BroadcastTransitionInvalid]
    })
      .annotateMerge(
        describe(
          "pauseBroadcast",
          "Pause a broadcast",
          "It answers when no call to the provider starts any more, within ten seconds. Calls under way end, and what comes of them is counted."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("resume", "/broadcasts/:id/resume", {
      params: broadcast,
      success: Broadcast,
      error: [
        ...read,
        Problems.BroadcastTransitionInvalid,
        Problems.TemplateNotApproved,
        Problems.ChatAccountDisconnected
      ]
    })
      .annotateMerge(
        describe(
          "resumeBroadcast",
          "Go on with a broadcast that is paused",
          "Everything that sending needs is checked again. Whoever is left gets the message, and nobody twice."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("cancel", "/broadcasts/:id/cancel", {
      params: broadcast,
      success: CancelledBroadcast,
      error: [...read, Problems.BroadcastTransitionInvalid]
    })
      .annotateMerge(
        describe(
          "cancelBroadcast",
          "End a broadcast",
          "Nobody who is pending gets the message. It answers when no call to the provider starts any more, within ten seconds. `sent` counts all that the provider has taken; calls under way end, and `inFlight` counts them."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("duplicate", "/broadcasts/:id/duplicate", {
      params: broadcast,
      payload: Copy,
      success: Broadcast.pipe(HttpApiSchema.status(201)),
      error: read
    })
      .annotateMerge(
        describe(
          "duplicateBroadcast",
          "Draft a broadcast that says the same",
          "It takes over everything but the schedule, and only for those with the permission `broadcasts.send` that rules are ignored. `splitKey` is taken over where one was given."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Broadcasts", "One message to many contacts: drafted, scheduled, sent to each at most once.")) {}

/** What holds for all broadcasts. */
export class BroadcastSettingsApi extends HttpApiGroup.make("broadcastSettings")
  .add(
    HttpApiEndpoint.get("get", "/broadcast_settings", {
      success: BroadcastSettings,
      error: [Problems.PermissionDenied]
    }).annotateMerge(describe("getBroadcastSettings", "Read what holds for all broadcasts")),
    HttpApiEndpoint.patch("update", "/broadcast_settings", {
      headers: IfMatch,
      payload: BroadcastSettingsPatch,
      success: BroadcastSettings,
      error: [Problems.PermissionDenied, Problems.VersionConflict]
    }).annotateMerge(
      describe(
        "updateBroadcastSettings",
        "Change what holds for all broadcasts",
        "Broadcasts that are sending go by it from then on. The built-in words that opt out and in count besides those given here."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Broadcast settings", "Quiet hours, frequency caps, words that opt out, and how long orders are attributed.")
  ) {}
