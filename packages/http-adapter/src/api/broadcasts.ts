import {
  AudiencePreview,
  Broadcast,
  BroadcastPatch,
  BroadcastSettings,
  BroadcastSettingsPatch,
  BroadcastSimulation,
  BroadcastStatus,
  BroadcastTest,
  ChatAccountId,
  NewAudiencePreview,
  NewBroadcast,
  NewBroadcastRetry,
  NewBroadcastSimulation,
  NewBroadcastTest,
  Page,
  MultiLineText,
  Timestamp
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { broadcast, changed, read, results, sending } from "./broadcastSending.ts"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { IfMatch, PageQuery } from "./shapes.ts"

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

const Copy = Schema.Struct({
  name: Schema.optionalKey(NewBroadcast.fields.name).annotateKey({ description: "The same name if it is absent." })
}).annotate({ identifier: "BroadcastCopy" })

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** What a broadcast says, before it is sent. */
const drafts = [
  HttpApiEndpoint.get("list", "/broadcasts", {
    query: {
      ...PageQuery,
      status: Schema.optionalKey(BroadcastStatus).annotateKey({ description: "Only broadcasts in this status." }),
      chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
        description: "Only broadcasts over this chat account, which may have been removed since."
      }),
      q: Schema.optionalKey(
        MultiLineText.check(Schema.isBetweenCodePoints(1, 120, { message: "Expected 1 to 120 characters" }))
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
  }).annotateMerge(describe("deleteBroadcast", "Delete a draft of a broadcast", "Whatever was sent stays to be read.")),
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
    .middleware(Idempotent),
  HttpApiEndpoint.post("retry", "/broadcasts/:id/retry", {
    params: broadcast,
    payload: NewBroadcastRetry,
    success: Broadcast.pipe(HttpApiSchema.status(201)),
    error: [...read, Problems.BroadcastNotEditable, Problems.RecipientsExpired, Problems.AudienceEmpty]
  })
    .annotateMerge(
      describe(
        "retryBroadcast",
        "Draft a broadcast to those whom another one did not reach",
        "Once a broadcast has ended, for just those of its recipients who failed, were never sent to, or are in doubt: whoever stands so when the draft starts. Each keeps its variant, who was held out stays so, and all rules hold again; who is in the audience no more is excluded."
      )
    )
    .middleware(Idempotent)
] as const

/** How a broadcast would go, and look. */
const planning = [
  HttpApiEndpoint.post("preview", "/broadcasts/audience_preview", {
    payload: NewAudiencePreview,
    success: AudiencePreview,
    error: [...read, Problems.UnsupportedByChannel]
  })
    .annotateMerge(
      describe(
        "previewAudience",
        "Preview whom a broadcast would go to",
        "Counts matching contacts and excluded contacts, each by the first reason, and renders the message for ten of the others. It takes a whole draft; `chatAccountId` and `audience` are required. `warnings` lists every reason why `send` would refuse it now, such as a variable without a value or an exceeded plan limit. `notes` lists effects that do not block it, such as one marketing variant that makes the whole broadcast marketing. With `freeze` it stores exactly this list for 24 hours: a broadcast that is scheduled or sent with `audienceSnapshotId` goes to these contacts, except contacts that have opted out since."
      )
    )
    .middleware(Idempotent),
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
        "Sends the broadcast to these numbers immediately. With `contactId`, which needs the permission `contacts.read`, the message contains the values of that contact. Tests count in no statistics, caps or plan. At most 20 messages an hour. Numbers that are blocked or have opted out are refused."
      )
    )
    .middleware(Idempotent)
] as const

/** Broadcasts: one message to many contacts. */
export class BroadcastsApi extends HttpApiGroup.make("broadcasts")
  .add(...drafts, ...planning, ...sending, ...results)
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Broadcasts", "One message to many contacts: drafted, scheduled, sent to each at most once.")) {}
