import { AudiencePreview, type NewAudiencePreview } from "@parley/domain"
import { Console, DateTime, Effect, Schema, Struct } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { card } from "../console/Table.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast } from "./broadcast.ts"
import { countsBy } from "./countsBy.ts"

const previewed = [
  "audience",
  "chatAccountId",
  "exclude",
  "holdOut",
  "ignoreFrequencyCaps",
  "ignoreQuietHours",
  "name",
  "replyHours",
  "schedule",
  "splitKey",
  "templateId",
  "throttle",
  "upliftDays",
  "variables",
  "variants"
] as const satisfies ReadonlyArray<Exclude<keyof NewAudiencePreview, "broadcastId" | "freeze">>

const encode = Schema.encodeSync(AudiencePreview)

const cardOf = (preview: AudiencePreview) => {
  const { audienceSnapshotId, excluded, expiresAt, heldOut, matched, toSend, variants, warnings } = preview
  return card([
    ["MATCHED", String(matched)],
    ...countsBy("EXCLUDED", excluded),
    ["HELD OUT", String(heldOut)],
    ["TO SEND", String(toSend)],
    ...(variants ?? []).map(({ key, toSend }) => [`TO SEND: ${key}`, String(toSend)] as const),
    ...warnings.map(({ detail, pointer }) => ["WARNING", pointer === "" ? detail : `${pointer}: ${detail}`] as const),
    ...(audienceSnapshotId === null ? [] : [["SNAPSHOT", audienceSnapshotId] as const]),
    ...(expiresAt === null ? [] : [["KEPT UNTIL", DateTime.formatIso(expiresAt)] as const])
  ])
}

/** Counts whom a broadcast would go to. */
export const previewCommand = Command.make(
  "preview",
  {
    org: Flags.org,
    broadcast,
    freeze: Flag.Boolean("freeze").pipe(
      Flag.withDescription("Keep exactly this list of recipients for 24 hours, for send --snapshot"),
      Flag.withDefault(false)
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ broadcast, freeze, json, org }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
        const found = yield* broadcasts.get({ params: { id: broadcast } })
        const preview = yield* broadcasts.preview({
          payload: { ...Struct.pick(found, previewed), broadcastId: broadcast, freeze }
        })
        yield* json ? printJson(encode(preview)) : Console.log(cardOf(preview))
      })
    )
  })
).pipe(
  Command.withDescription("Count whom a broadcast would go to now, and who would get nothing and why"),
  Command.withExamples([{ command: "parley broadcasts preview --org acme 0197... --freeze" }])
)
