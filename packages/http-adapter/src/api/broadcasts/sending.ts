import { AudienceSnapshotId, Broadcast, CancelledBroadcast, Schedule } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { describe } from "../describe.ts"
import { Idempotent } from "../middleware.ts"
import * as Problems from "../problems.ts"
import { IfMatch } from "../shapes.ts"
import { broadcast, changed, read } from "./shapes.ts"

const audienceSnapshotId = Schema.optionalKey(AudienceSnapshotId).annotateKey({
  description: "List of recipients that a preview stored. Absent: the contacts that match at the start."
})

const Start = Schema.Struct({
  schedule: Schema.optionalKey(Schedule).annotateKey({ description: "The broadcast's own if it is absent." }),
  audienceSnapshotId
}).annotate({ identifier: "BroadcastStart" })

const ImmediateStart = Schema.Struct({
  schedule: Schema.optionalKey(Schedule).annotateKey({
    description:
      "Replaces the broadcast's own limits: `zone`, `notAfter`, `endBy`, `window`. `at`, `localAt` and `passed` are refused with 400: use `/schedule` to send later."
  }),
  audienceSnapshotId
}).annotate({ identifier: "BroadcastImmediateStart" })

/** Broadcasts on their way. */
export const sending = [
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
    payload: ImmediateStart,
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
        "The broadcast starts now; its own start time is dropped, `window` and `endBy` hold. A start time in the request is refused. Messages of conversations have priority. Of two concurrent requests, one succeeds."
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
    .middleware(Idempotent)
] as const
