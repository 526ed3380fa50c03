import { DateTime, Effect, Equal, Option } from "effect"
import { anyContact, type Filter, noContact, resolveFilter } from "../../crm/index.ts"
import { invalid, NotFound } from "../../kernel/index.ts"
import { channelFor, ChatAccounts, type MessageTemplate, MessageTemplates } from "../../messaging/chat/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { type Broadcast, type BroadcastDefinition, broadcastMessages } from "../Broadcast.ts"
import { type FrequencyCap, StoredBroadcastSettings } from "../BroadcastSettings.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { findRecipientExpiry } from "../RecipientList.ts"
import type { BroadcastRetry } from "../RecipientStatus.ts"
import { contactDueAt, hasMissedStart, type Schedule } from "../timing/Schedule.ts"
import { contactZones } from "../timing/timeZones.ts"
import type { Variables } from "../values/BroadcastValue.ts"
import { requiredPaths } from "../values/validateVariables.ts"
import { type AudiencePlan, Audiences, type PlannedCap, type PlannedTimes } from "./Audiences.ts"

/** Selects the retried recipients of a broadcast. */
const retriedFilter = ({ broadcastId, codes, statuses }: BroadcastRetry): Filter => ({
  kind: "known",
  condition: "broadcast_retried",
  values: [broadcastId, statuses.join(" "), ...(codes ?? [])]
})

/** Fails if the recipients of the retried broadcast are deleted. */
export const requireRetrySource = Effect.fnUntraced(function* ({ retry }: Pick<Broadcast, "retry">) {
  if (retry === null) return
  const original = yield* Effect.mapError(
    Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.get(retry.broadcastId)),
    ({ resource }) => new NotFound({ resource, pointer: "/retry/broadcastId" })
  )
  const expiredAt = yield* findRecipientExpiry(original)
  if (expiredAt !== null) {
    const since = DateTime.formatIso(expiredAt)
    return yield* invalid("/retry", `The recipients of the original broadcast were deleted on ${since}`)
  }
})

/** Fields of the broadcast that determine its recipients. */
export type PlannedBroadcast = Omit<BroadcastDefinition, "name" | "throttle" | "replyHours" | "upliftDays"> & {
  /** `null` if it is not stored. */
  readonly id: BroadcastId | null
  readonly retry: Broadcast["retry"]
}

const notFilter = (of: Filter): Filter => ({ kind: "not", of })

/** Selects contacts that lack values of a message. */
const missingValuesFilter = (variables: Variables): Filter => ({
  kind: "any",
  of: requiredPaths(variables).flatMap(({ field, key }): ReadonlyArray<Filter> => {
    if (field === "attribute") {
      return key === undefined
        ? []
        : [notFilter({ kind: "attributeSet", key }), { kind: "attributeIs", key, anyOf: [""] }]
    }
    return [notFilter({ kind: "textSet", field: field === "firstName" ? "name" : field })]
  })
})

/** Contacts that lack the same values for all variants need no filter per variant. */
const planMissingValues = ({ variables, variants }: Pick<PlannedBroadcast, "variables" | "variants">) => {
  if (variants === null) return { lacking: missingValuesFilter(variables), variants: [] }
  const planned = variants.map(({ key, variables, weight }) => ({
    key,
    weight,
    lacking: missingValuesFilter(variables)
  }))
  const [first] = planned
  return first !== undefined && planned.every(({ lacking }) => Equal.equals(lacking, first.lacking))
    ? { lacking: first.lacking, variants: planned.map((variant) => ({ ...variant, lacking: noContact })) }
    : { lacking: noContact, variants: planned }
}

const maxCapPeriod = { days: 30 }

/** Frequency cap: returns the earlier broadcasts that count for each cap at this start time. */
export const frequencyCapPlan = Effect.fnUntraced(function* (
  isMarketing: boolean,
  startsAt: DateTime.Utc,
  own: BroadcastId | null,
  frequencyCaps: ReadonlyArray<FrequencyCap>
) {
  const caps = frequencyCaps.filter(({ category }) => category === "any" || (category === "marketing") === isMarketing)
  if (caps.length === 0) return []
  const earlier = yield* (yield* Audiences).earlier(DateTime.subtract(startsAt, maxCapPeriod))
  const others = earlier.filter(({ id }) => id !== own)
  return caps.map(({ category, days, max }): PlannedCap => ({
    max,
    days,
    automated: category !== "utility",
    of: others.filter((each) => category === "any" || each.category === category).map(({ id }) => id)
  }))
})

const planTimes = (schedule: Schedule | null, startsAt: DateTime.Utc, timezone: string): PlannedTimes | null => {
  if (schedule?.localAt === undefined || schedule.zone !== "contact") return null
  const organizationZone = DateTime.zoneMakeNamedUnsafe(timezone)
  const known = new Map<string, DateTime.Utc>()
  return {
    dueAt: (contact) => {
      const names = contactZones(contact, timezone)
      const key = names.join(" ")
      const before = known.get(key)
      if (before !== undefined) return before
      const zones = names.map((name) => Option.getOrElse(DateTime.zoneMakeNamed(name), () => organizationZone))
      const due = contactDueAt(schedule, zones, organizationZone) ?? startsAt
      known.set(key, due)
      return due
    },
    skips: (due) => schedule.passed === "skip" && hasMissedStart(due, startsAt)
  }
}

/**
 * Returns the filter of the audience and its exclusions. A retry addresses the recipients with the selected statuses on the other list. Recipients
 * that have left the audience are excluded.
 */
const planAudienceFilter = Effect.fnUntraced(function* (
  audience: NonNullable<BroadcastDefinition["audience"]>,
  { exclude, retry }: Pick<PlannedBroadcast, "exclude" | "retry">
) {
  const meant = yield* resolveFilter(audience, "/audience")
  const left = exclude === null ? noContact : yield* resolveFilter(exclude, "/exclude")
  if (retry === null) return { audience: meant, exclude: left, keepsVariantsOf: null }
  yield* requireRetrySource({ retry })
  return {
    audience: retriedFilter(retry),
    exclude: Equal.equals(meant, anyContact) ? left : ({ kind: "any", of: [left, notFilter(meant)] } satisfies Filter),
    keepsVariantsOf: retry.broadcastId
  }
})

/** Loads the templates of the broadcast's messages. */
export const loadBroadcastTemplates = Effect.fnUntraced(function* (broadcast: PlannedBroadcast) {
  const ids = broadcastMessages(broadcast).flatMap(({ templateId }) => templateId ?? [])
  const found = yield* (yield* MessageTemplates).find([...new Set(ids)])
  return new Map<string, MessageTemplate>(found.map((template) => [template.id, template]))
})

/** Plans the audience of a broadcast that starts at this time. Fails without a chat account or an audience. */
export const planAudience = Effect.fnUntraced(function* (broadcast: PlannedBroadcast, startsAt: DateTime.Utc) {
  const { audience, chatAccountId, holdOut, schedule, splitKey } = broadcast
  if (chatAccountId === null) return yield* invalid("/chatAccountId", "Expected the chat account of the broadcast")
  if (audience === null) return yield* invalid("/audience", "Expected an audience; {} matches all contacts")
  const account = yield* Effect.flatMap(ChatAccounts, (accounts) => accounts.get(chatAccountId))
  const { reaches } = yield* channelFor(account, "sending")
  const templates = yield* loadBroadcastTemplates(broadcast)
  const isMarketing = Array.from(templates.values()).some(({ category }) => category === "marketing")
  const { frequencyCaps } = yield* Effect.flatMap(StoredBroadcastSettings, (settings) => settings.get())
  const { timezone } = yield* Effect.flatMap(Organizations, (organizations) => organizations.current())
  const plan: AudiencePlan = {
    broadcastId: broadcast.id,
    ...(yield* planAudienceFilter(audience, broadcast)),
    reaches: Array.from(reaches),
    isMarketing,
    ...planMissingValues(broadcast),
    caps: broadcast.ignoreFrequencyCaps
      ? []
      : yield* frequencyCapPlan(isMarketing, startsAt, broadcast.id, frequencyCaps),
    splitKey,
    holdOut,
    startsAt,
    times: planTimes(schedule, startsAt, timezone)
  }
  return plan
})
