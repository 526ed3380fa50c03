import {
  AudiencePreview,
  BroadcastSimulation,
  BroadcastTest,
  NewAudiencePreview,
  NewBroadcastSimulation,
  NewBroadcastTest
} from "@parley/domain"
import { HttpApiEndpoint } from "effect/http-api"
import { describe } from "../describe.ts"
import { Idempotent } from "../middleware.ts"
import * as Problems from "../problems.ts"
import { broadcast, read } from "./shapes.ts"

/** How a broadcast would go, and look. */
export const planning = [
  HttpApiEndpoint.post("preview", "/broadcasts/audience_preview", {
    payload: NewAudiencePreview,
    success: AudiencePreview,
    error: [...read, Problems.UnsupportedByChannel]
  })
    .annotateMerge(
      describe(
        "previewAudience",
        "Preview whom a broadcast would go to",
        "Counts matching contacts and excluded contacts, each by the first reason, and renders the message for ten of the others. It takes a whole draft; `chatAccountId` and `audience` are required. `warnings` lists every reason why `send` would refuse it now, such as a variable without a value or an exceeded plan limit. With `freeze` it stores exactly this list for 24 hours: a broadcast that is scheduled or sent with `audienceSnapshotId` goes to these contacts, except contacts that have opted out since."
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
