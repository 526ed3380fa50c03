import { DateTime, Duration, Effect, Schema } from "effect"
import { NotFound } from "../../kernel/index.ts"
import { Broadcast, type BroadcastDefinition } from "../Broadcast.ts"
import type { AudienceSnapshotId } from "../Ids.ts"
import { AudienceSnapshotExpired, AudienceSnapshotMismatch } from "../errors.ts"
import type { Schedule } from "../timing/Schedule.ts"
import { type AudiencePlan, Audiences, type SampledContact } from "./Audiences.ts"

/** Retention of a snapshot without a scheduled or sent broadcast. */
export const snapshotRetention = Duration.hours(24)

const snapshotFields = [
  "chatAccountId",
  "templateId",
  "variables",
  "variants",
  "audience",
  "exclude",
  "ignoreFrequencyCaps"
] as const satisfies ReadonlyArray<keyof BroadcastDefinition>

const comparedFields = [...snapshotFields, "retry"] as const

type SnapshotInput = Pick<BroadcastDefinition, (typeof snapshotFields)[number]> & Pick<Broadcast, "retry">

const asJson = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Json))

/** Returns the fields that determine the recipients. A snapshot belongs to broadcasts with equal fields. */
export const snapshotSource = (broadcast: SnapshotInput): Readonly<Record<string, Schema.Json>> =>
  asJson(Object.fromEntries(comparedFields.map((field) => [field, broadcast[field]])))

/** Encodes JSON with sorted keys, because the key order of inputs varies. */
const toCanonicalJson = (value: Schema.Json | undefined): string => {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null)
  const parts = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${parts.map(([key, part]) => `${JSON.stringify(key)}:${toCanonicalJson(part as Schema.Json)}`).join()}}`
}

/** Fails if the snapshot does not exist, has expired, or was created from other fields. */
export const requireSnapshot = Effect.fnUntraced(function* (broadcast: SnapshotInput, id: AudienceSnapshotId) {
  const audiences = yield* Audiences
  const snapshot = yield* Effect.mapError(
    audiences.kept(id),
    ({ resource }) => new NotFound({ resource, pointer: "/audienceSnapshotId" })
  )
  const { expiresAt } = snapshot
  if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, yield* DateTime.now)) {
    return yield* new AudienceSnapshotExpired({ expiredAt: expiresAt })
  }
  const now = snapshotSource(broadcast)
  const fields = comparedFields.filter(
    (field) => toCanonicalJson(now[field]) !== toCanonicalJson(snapshot.madeFrom[field])
  )
  if (fields.length > 0) return yield* new AudienceSnapshotMismatch({ fields })
  return snapshot
})

/** Returns the broadcast with its snapshot, if one is given. The snapshot must match and is retained from then on. */
export const withSnapshot = Effect.fnUntraced(function* (broadcast: Broadcast, id: AudienceSnapshotId | undefined) {
  if (id === undefined) return broadcast
  yield* requireSnapshot(broadcast, id)
  yield* (yield* Audiences).keepUntil(id, null)
  return new Broadcast({ ...broadcast, audienceSnapshotId: id })
})

/** Counts contacts that get nothing because their due time had passed at the start, and tests single contacts for it. */
export const missedDeadline = Effect.fnUntraced(function* (plan: AudiencePlan, schedule: Schedule | null) {
  const { times } = plan
  if (times === null || schedule?.passed !== "skip") return { count: 0, hasMissed: () => false }
  const clocks = yield* (yield* Audiences).clocks({ ...plan, holdOut: 0 }, null)
  const missed = clocks.filter(({ of }) => times.skips(times.dueAt(of)))
  return {
    count: missed.reduce((sum, { count }) => sum + count, 0),
    hasMissed: ({ contact }: SampledContact) => times.skips(times.dueAt(contact))
  }
})
