import {
  BroadcastRecipient,
  BroadcastReport,
  ContactId,
  ExclusionReason,
  Page,
  RecipientStatus,
  TransferFormat,
  VariantKey
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { mediaTypes } from "../contactTransfer.ts"
import { alsoAnswers, describe } from "../describe.ts"
import * as Problems from "../problems.ts"
import { PageQuery } from "../shapes.ts"
import { broadcast, read } from "./shapes.ts"

/** Which recipients are asked for. */
const RecipientsAsked = {
  status: Schema.optionalKey(RecipientStatus).annotateKey({ description: "Only recipients in this status." }),
  reason: Schema.optionalKey(ExclusionReason).annotateKey({
    description: "Only those who are excluded for this reason."
  }),
  variant: Schema.optionalKey(VariantKey).annotateKey({ description: "Only those of this variant." }),
  replied: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Only those who have replied, or who have not."
  }),
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only this contact." })
}

const fileExample = (example: string) => ({ schema: { type: "string" }, example }) as const

const csvExample = `id,contactId,name,address,variant,status,reason,errorCode,errorProviderCode,errorReason,attempts,dueAt,sentAt,deliveredAt,readAt,failedAt,repliedAt,optedOutAt,conversationId
01934be0-1a2b-7c3d-8e4f-506100000001,01934b8e-a4b5-7444-989a-86a7b8c9daeb,Marie Curie,+491701234567,,failed,,recipient_unreachable,131026,Message undeliverable,1,,,,,2026-11-20T14:30:05.000Z,,,
`

const ndjsonExample = `{"id":"01934be0-1a2b-7c3d-8e4f-506100000001","contactId":"01934b8e-a4b5-7444-989a-86a7b8c9daeb","name":"Marie Curie","address":"+491701234567","variant":null,"status":"failed","reason":null,"errorCode":"recipient_unreachable","errorProviderCode":131026,"errorReason":"Message undeliverable","attempts":1,"dueAt":null,"sentAt":null,"deliveredAt":null,"readAt":null,"failedAt":"2026-11-20T14:30:05.000Z","repliedAt":null,"optedOutAt":null,"conversationId":null}
`

/** What has come of broadcasts. */
export const results = [
  HttpApiEndpoint.get("recipients", "/broadcasts/:id/recipients", {
    params: broadcast,
    query: { ...PageQuery, ...RecipientsAsked },
    success: Page(BroadcastRecipient),
    error: [...read, Problems.CursorInvalid, Problems.RecipientsExpired]
  }).annotateMerge(
    describe(
      "listBroadcastRecipients",
      "List whom a broadcast goes to",
      "Everybody of the audience once, also who is excluded or held out, in the order of the list. A page may hold fewer than asked for, or none, and have a `nextCursor`: then more may follow. Kept for 180 days after the end."
    )
  ),
  HttpApiEndpoint.get("exportRecipients", "/broadcasts/:id/recipients/export", {
    params: broadcast,
    query: {
      ...RecipientsAsked,
      format: Schema.optionalKey(TransferFormat).annotateKey({
        description: "The format; what `Accept` asks for if not said, and CSV if that leaves it open."
      })
    },
    success: HttpApiSchema.StreamUint8Array({ contentType: mediaTypes.csv }),
    error: [...read, Problems.RecipientsExpired]
  })
    .annotateMerge(
      describe(
        "exportBroadcastRecipients",
        "Export whom a broadcast goes to",
        "Everybody who is asked for, with what came of each, in the order of the list, in an answer of any length. What a spreadsheet would run as a formula gets an apostrophe in front. An answer that ends early broke off: its connection does not end as it should. Kept for 180 days after the end."
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
      "readBroadcastReport",
      "Read what has come of a broadcast",
      "Counted from its recipients at `asOf`. `delivered` counts those who have read it too."
    )
  )
] as const
