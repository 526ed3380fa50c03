import { Page, Timestamp } from "@parley/domain/kernel"
import { MultiLineText } from "@parley/domain/platform"
import { ChatAccountId } from "@parley/domain/messaging"
import {
  AudiencePreview,
  Broadcast,
  BroadcastPatch,
  BroadcastSettings,
  BroadcastSettingsPatch,
  BroadcastSimulation,
  BroadcastStatus,
  BroadcastTest,
  NewAudiencePreview,
  NewBroadcast,
  NewBroadcastRetry,
  NewBroadcastSimulation,
  NewBroadcastTest
} from "@parley/domain/campaigns"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { broadcast, changed, read, results, sending } from "./broadcastSending.ts"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { IfMatch, PageQuery } from "./shapes.ts"

/** Settings of all broadcasts. */
export class BroadcastSettingsApi extends HttpApiGroup.make("broadcastSettings")
  .add(
    HttpApiEndpoint.get("get", "/broadcast_settings", {
      success: BroadcastSettings,
      error: [Problems.PermissionDenied]
    }).annotateMerge(describe("getBroadcastSettings", "Get the broadcast settings")),
    HttpApiEndpoint.patch("update", "/broadcast_settings", {
      headers: IfMatch,
      payload: BroadcastSettingsPatch,
      success: BroadcastSettings,
      error: [Problems.PermissionDenied, Problems.VersionConflict]
    }).annotateMerge(
      describe(
        "updateBroadcastSettings",
        "Update the broadcast settings",
        "Running broadcasts use the new settings immediately. The built-in opt-out and opt-in keywords apply in addition to these."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Broadcast settings", "Quiet hours, frequency caps, opt-out keywords and the attribution window of orders.")
  ) {}

const Copy = Schema.Struct({
  name: Schema.optionalKey(NewBroadcast.fields.name).annotateKey({ description: "Default: the same name." })
}).annotate({ identifier: "BroadcastCopy" })

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Endpoints of broadcasts before they are sent. */
const drafts = [
  HttpApiEndpoint.get("list", "/broadcasts", {
    query: {
      ...PageQuery,
      status: Schema.optionalKey(BroadcastStatus).annotateKey({ description: "Only broadcasts in this status." }),
      chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
        description: "Only broadcasts of this chat account, even if it was removed."
      }),
      q: Schema.optionalKey(
        MultiLineText.check(Schema.isBetweenCodePoints(1, 120, { message: "Expected 1 to 120 characters" }))
      ).annotateKey({ description: "Part of the name, ignoring case and accents." }),
      createdFrom: time("Only broadcasts created at this time or later."),
      createdTo: time("Only broadcasts created before this time.")
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
        "Create a broadcast",
        "A draft can leave out fields that sending requires; given fields must be valid. Setting `ignoreFrequencyCaps` or `ignoreQuietHours` needs the permission `broadcasts.send`."
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
      "Get a broadcast",
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
      Problems.BroadcastStatusInvalid,
      Problems.TemplateNotApproved,
      Problems.ChatAccountDisconnected,
      Problems.AudienceSnapshotExpired,
      Problems.AudienceSnapshotMismatch
    ]
  }).annotateMerge(
    describe(
      "updateBroadcast",
      "Update a broadcast",
      "Possible for drafts and scheduled broadcasts. A scheduled broadcast must stay ready to send, and its change needs the permission `broadcasts.send`. If it uses a stored recipient list, the fields of that list cannot change. Setting `ignoreFrequencyCaps` or `ignoreQuietHours` needs `broadcasts.send` too."
    )
  ),
  HttpApiEndpoint.delete("delete", "/broadcasts/:id", {
    params: broadcast,
    headers: IfMatch,
    success: HttpApiSchema.NoContent,
    error: [...changed, Problems.BroadcastStatusInvalid]
  }).annotateMerge(describe("deleteBroadcast", "Delete a draft broadcast", "Broadcasts that were sent stay readable.")),
  HttpApiEndpoint.post("duplicate", "/broadcasts/:id/duplicate", {
    params: broadcast,
    payload: Copy,
    success: Broadcast.pipe(HttpApiSchema.status(201)),
    error: read
  })
    .annotateMerge(
      describe(
        "duplicateBroadcast",
        "Duplicate a broadcast",
        "Creates a draft with everything except the schedule. `ignoreFrequencyCaps` and `ignoreQuietHours` are copied only with the permission `broadcasts.send`. A given `splitKey` is copied."
      )
    )
    .middleware(Idempotent),
  HttpApiEndpoint.post("retry", "/broadcasts/:id/retry", {
    params: broadcast,
    payload: NewBroadcastRetry,
    success: Broadcast.pipe(HttpApiSchema.status(201)),
    error: [...read, Problems.BroadcastStatusInvalid, Problems.RecipientsExpired, Problems.AudienceEmpty]
  })
    .annotateMerge(
      describe(
        "retryBroadcast",
        "Create a retry of a broadcast",
        "Creates a draft for recipients of an ended broadcast with the status `failed`, `never_sent` or `in_doubt` when the draft starts. Each recipient keeps its variant, and held-out recipients stay held out. All rules apply again, and contacts outside the audience are excluded."
      )
    )
    .middleware(Idempotent)
] as const

/** Previews and simulations of broadcasts. */
const planning = [
  HttpApiEndpoint.post("preview", "/broadcasts/audience_preview", {
    payload: NewAudiencePreview,
    success: AudiencePreview,
    error: [...read, Problems.UnsupportedByChannel]
  })
    .annotateMerge(
      describe(
        "previewAudience",
        "Preview the audience of a broadcast",
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
        "Simulate a broadcast",
        "Estimates the course from the account's rate and daily limit, the throttle, quiet hours and the window, in the time zone of the organization. Nothing is sent or stored."
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
        "Send a test of a broadcast",
        "Sends the broadcast to these numbers immediately. With `contactId`, the message contains the values of that contact. It also needs the permission `contacts.read`. Tests count in no statistics, caps or plan. At most 20 messages an hour. Numbers that are blocked or have opted out are refused."
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
  .annotateMerge(area("Broadcasts", "One message to many contacts. Each contact gets it at most once.")) {}
