import { fieldRemedies, Page } from "@parley/domain/kernel"
import { ContactId, TransferFormat } from "@parley/domain/crm"
import {
  AudienceSnapshotId,
  Broadcast,
  BroadcastId,
  BroadcastRecipient,
  BroadcastReport,
  CancelledBroadcast,
  ExclusionReason,
  RecipientStatus,
  Schedule,
  VariantKey
} from "@parley/domain/campaigns"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { mediaTypes } from "./contactTransfer.ts"
import { alsoAnswers, describe } from "./describe.ts"
import { Idempotent } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

/** Which broadcast is meant. */
export const broadcast = idOf(BroadcastId, "broadcast")

/** Errors of reading a broadcast. */
export const read = [Problems.PermissionDenied, Problems.NotFound] as const

/** Errors of changing a broadcast. */
export const changed = [...read, Problems.VersionConflict] as const

const audienceSnapshotId = Schema.optionalKey(AudienceSnapshotId).annotateKey({
  description: "Recipient list that a preview stored. Default: the contacts that match at the start."
})

const Start = Schema.Struct({
  schedule: Schema.optionalKey(Schedule).annotateKey({
    description: "Start time and limits of sending. Default: the schedule of the broadcast."
  }),
  audienceSnapshotId
}).annotate({ identifier: "BroadcastStart" })

const sendLater = "This call sends now. To send later, use POST /broadcasts/:id/schedule with the times in schedule"

const ImmediateStart = Schema.Struct({
  schedule: Schema.optionalKey(Schedule).annotateKey({
    description:
      "Replaces the broadcast's own limits: `zone`, `notAfter`, `endBy`, `window`. `at`, `localAt` and `passed` are refused with 400: use `/schedule` to send later."
  }),
  audienceSnapshotId
}).annotate({
  identifier: "BroadcastImmediateStart",
  ...fieldRemedies({ at: sendLater, localAt: sendLater })
})

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
        "Schedule a broadcast",
        "Checks all requirements for sending. Each missing one is an error with a pointer into the broadcast. Nothing is frozen or reserved before the start."
      )
    )
    .middleware(Idempotent),
  HttpApiEndpoint.post("unschedule", "/broadcasts/:id/unschedule", {
    params: broadcast,
    headers: IfMatch,
    success: Broadcast,
    error: [...changed, Problems.BroadcastTransitionInvalid]
  })
    .annotateMerge(describe("unscheduleBroadcast", "Unschedule a broadcast"))
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
        "The broadcast starts now; its own start time is dropped, `window` and `endBy` apply. A start time in the request is refused. Messages of conversations have priority. Of two concurrent requests, one succeeds."
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
        "Answers when no new provider call can start, within ten seconds. Running calls finish, and their results are counted."
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
        "Resume a broadcast",
        "Checks all requirements for sending again. The remaining contacts get the message; no contact gets it twice."
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
        "Cancel a broadcast",
        "Pending contacts do not get the message. Answers when no new provider call can start, within ten seconds. `sent` counts all messages that the provider accepted. Running calls finish, and `inFlight` counts them."
      )
    )
    .middleware(Idempotent)
] as const

/** Filters of recipients. */
const RecipientsAsked = {
  status: Schema.optionalKey(RecipientStatus).annotateKey({ description: "Only recipients in this status." }),
  reason: Schema.optionalKey(ExclusionReason).annotateKey({
    description: "Only contacts excluded for this reason."
  }),
  variant: Schema.optionalKey(VariantKey).annotateKey({ description: "Only recipients of this variant." }),
  replied: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Only recipients with or without a reply."
  }),
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only this contact." })
}

const fileExample = (example: string) => ({ schema: { type: "string" }, example }) as const

const csvExample = `id,contactId,name,address,variant,status,reason,errorCode,errorProviderCode,errorReason,attempts,dueAt,sentAt,deliveredAt,readAt,failedAt,repliedAt,optedOutAt,conversationId
01934be0-1a2b-7c3d-8e4f-506100000001,01934b8e-a4b5-7444-989a-86a7b8c9daeb,Marie Curie,+491701234567,,failed,,recipient_unreachable,131026,Message undeliverable,1,,,,,2026-11-20T14:30:05.000Z,,,
`

const ndjsonExample = `{"id":"01934be0-1a2b-7c3d-8e4f-506100000001","contactId":"01934b8e-a4b5-7444-989a-86a7b8c9daeb","name":"Marie Curie","address":"+491701234567","variant":null,"status":"failed","reason":null,"errorCode":"recipient_unreachable","errorProviderCode":131026,"errorReason":"Message undeliverable","attempts":1,"dueAt":null,"sentAt":null,"deliveredAt":null,"readAt":null,"failedAt":"2026-11-20T14:30:05.000Z","repliedAt":null,"optedOutAt":null,"conversationId":null}
`

/** Results of broadcasts. */
export const results = [
  HttpApiEndpoint.get("recipients", "/broadcasts/:id/recipients", {
    params: broadcast,
    query: { ...PageQuery, ...RecipientsAsked },
    success: Page(BroadcastRecipient),
    error: [...read, Problems.CursorInvalid, Problems.RecipientsExpired]
  }).annotateMerge(
    describe(
      "listBroadcastRecipients",
      "List the recipients of a broadcast",
      "Each contact of the audience once, including excluded and held-out contacts, in list order. A page can be shorter than the limit, or empty, and have a `nextCursor`: then more rows can follow. Recipients are stored for 180 days after the end."
    )
  ),
  HttpApiEndpoint.get("exportRecipients", "/broadcasts/:id/recipients/export", {
    params: broadcast,
    query: {
      ...RecipientsAsked,
      format: Schema.optionalKey(TransferFormat).annotateKey({
        description: "Format. Default: the format of `Accept`, otherwise CSV."
      })
    },
    success: HttpApiSchema.StreamUint8Array({ contentType: mediaTypes.csv }),
    error: [...read, Problems.RecipientsExpired]
  })
    .annotateMerge(
      describe(
        "exportBroadcastRecipients",
        "Export the recipients of a broadcast",
        "All matching recipients with their results, in list order, in an answer of any length. Values that a spreadsheet would execute as a formula get a leading apostrophe. An incomplete answer ends without a proper end of the connection. Recipients are stored for 180 days after the end."
      )
    )
    .annotateMerge(
      alsoAnswers({ [mediaTypes.csv]: fileExample(csvExample), [mediaTypes.ndjson]: fileExample(ndjsonExample) })
    ),
  HttpApiEndpoint.get("report", "/broadcasts/:id/report", {
    params: broadcast,
    success: BroadcastReport,
    error: read
  }).annotateMerge(
    describe(
      "getBroadcastReport",
      "Get the report of a broadcast",
      "Counted from its recipients at `asOf`. `delivered` includes recipients who have read the message."
    )
  )
] as const
