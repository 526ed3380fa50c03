import { transact, UserId } from "@parley/domain/kernel"
import { anyContact, noContact } from "@parley/domain/crm"
import { ChatAccountId, MessageTemplateId } from "@parley/domain/messaging"
import {
  type AudiencePlan,
  AudienceSnapshotId,
  Broadcast,
  BroadcastId,
  Broadcasts,
  toDraft
} from "@parley/domain/campaigns"
import { DateTime, Effect, Schema } from "effect"
import { freshId } from "../given.ts"

export const morning = DateTime.makeUnsafe("2026-03-01T08:00:00.123Z")
export const evening = DateTime.makeUnsafe("2026-03-01T20:00:00Z")

const encodeBroadcast = Schema.encodeSync(Broadcast)

/** Converts a broadcast to plain values for readable differences. */
export const plainBroadcast = (broadcast: Broadcast) => encodeBroadcast(broadcast)

/** A draft with a name only. */
export const newBroadcast = (overrides: Partial<Broadcast> = {}): Broadcast => {
  const id = freshId(BroadcastId)
  return new Broadcast({
    ...toDraft(id, { name: "Frühling “100 %” \\ _ 🎉" }, morning, { kind: "operator", name: "test" }),
    ...overrides
  })
}

/** Broadcast with all fields set. */
export const wholeBroadcast = (): Broadcast =>
  newBroadcast({
    chatAccountId: freshId(ChatAccountId),
    templateId: freshId(MessageTemplateId),
    variables: {
      "body.1": { kind: "field", field: "attribute", key: "city", fallback: "“Süd” 🥐" },
      "body.2": { kind: "liquid", source: "{{ firstName | default: 'x' }}" },
      header: { kind: "constant", value: "52.5,13.4" }
    },
    variants: [
      { key: "b", weight: 30, templateId: freshId(MessageTemplateId), variables: {} },
      { key: "a", weight: 70, templateId: freshId(MessageTemplateId), variables: {} }
    ],
    holdOut: 0.29,
    splitKey: "spring_2026.a-B",
    audience: { any: [{ field: "locale", op: "is", value: "pt-BR" }, {}] },
    exclude: { not: { field: "blocked", op: "is", value: false } },
    schedule: { at: evening, endBy: DateTime.add(evening, { days: 1 }) },
    throttle: { perMinute: 60_000 },
    ignoreFrequencyCaps: true,
    ignoreQuietHours: true,
    replyHours: 168,
    upliftDays: 30,
    status: "paused",
    waiting: { reason: "quiet_hours", until: evening },
    pause: { reason: "user", at: evening, by: freshId(UserId) },
    failure: { code: "plan_limit_reached", detail: "There is “no” room." },
    endReason: "end_by",
    source: { broadcastId: freshId(BroadcastId), kind: "retry" },
    retry: { broadcastId: freshId(BroadcastId), statuses: ["failed", "never_sent"], codes: ["recipient_busy"] },
    audienceSnapshotId: freshId(AudienceSnapshotId),
    frozenAt: morning,
    startedAt: morning,
    endedAt: evening,
    recipientsKeptUntil: evening,
    createdBy: freshId(UserId)
  })

/** A broadcast in the store. */
export const givenBroadcast = Effect.fnUntraced(function* (broadcast: Broadcast = newBroadcast()) {
  yield* transact((yield* Broadcasts).insert(broadcast))
  return broadcast
})

/** Audience plan. Default: all contacts that can get marketing by phone or as a chat user. */
export const planned = (overrides: Partial<AudiencePlan> = {}): AudiencePlan => ({
  broadcastId: null,
  audience: anyContact,
  exclude: noContact,
  reaches: ["phone", "chat_user"],
  isMarketing: true,
  lacking: noContact,
  variants: [],
  keepsVariantsOf: null,
  caps: [],
  splitKey: "spring",
  holdOut: 0,
  startsAt: evening,
  times: null,
  ...overrides
})
