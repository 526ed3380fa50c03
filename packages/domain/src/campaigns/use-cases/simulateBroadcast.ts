import { DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { NotFound, requireReach, useCase } from "../../kernel/index.ts"
import { bulkLimitOf, businessOf, type ChatAccount, ChatAccounts, DailyRecipients } from "../../messaging/chat/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { StoredBroadcastSettings } from "../BroadcastSettings.ts"
import {
  type BroadcastSimulation,
  type NewBroadcastSimulation,
  simulate,
  type SimulatedZone
} from "../BroadcastSimulation.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { readPlanQuota } from "../RecipientReservations.ts"
import { type AudiencePlan, Audiences } from "../audience/Audiences.ts"
import { planAudience } from "../audience/planAudience.ts"
import { toTimeZone } from "../sending/SendContext.ts"
import { requireAudiencePermissions } from "../startRequirements.ts"
import { latestEnd, type Schedule, scheduledStart } from "../timing/Schedule.ts"
import { contactZones } from "../timing/timeZones.ts"

/** Rate of an account without a rate from the provider, in messages per second. */
const defaultThroughput = 80

/** Loads the daily limit of the account and the people that count for it; `null` without a limit. */
const loadDailyLimit = Effect.fnUntraced(function* (account: ChatAccount | undefined, now: DateTime.Utc) {
  const most = account === undefined ? null : bulkLimitOf(account)
  if (account === undefined || most === null) return null
  return { most, reached: yield* (yield* DailyRecipients).reached(businessOf(account), now) }
})

/** Loads the recipients, grouped by their possible zones. */
const loadZones = Effect.fnUntraced(function* (
  plan: AudiencePlan,
  { audienceSnapshotId }: Broadcast,
  organizationZone: string
) {
  const clocks = yield* (yield* Audiences).clocks(plan, audienceSnapshotId)
  const byZones = Map.groupBy(clocks, ({ of }) => contactZones(of, organizationZone).join(" "))
  const zones = Array.from(byZones, ([names, all]): SimulatedZone => {
    const [one] = all
    return {
      zones: names.split(" ").map(toTimeZone),
      count: all.reduce((sum, { count }) => sum + count, 0),
      dueAt: one === undefined ? null : (plan.times?.dueAt(one.of) ?? null)
    }
  })
  return zones.filter(({ dueAt }) => dueAt === null || plan.times?.skips(dueAt) !== true)
})

/** Counts all recipients in the zone of the organization. */
const countInOneZone = Effect.fnUntraced(function* (
  plan: AudiencePlan,
  { audienceSnapshotId }: Broadcast,
  zone: DateTime.TimeZone
) {
  const { toSend } = yield* (yield* Audiences).size(plan, audienceSnapshotId)
  return [{ zones: [zone], count: toSend, dueAt: null }] satisfies ReadonlyArray<SimulatedZone>
})

const toSimulationWindow = ({ window, zone }: Schedule, organizationZone: DateTime.TimeZone) =>
  window === undefined || window === null
    ? null
    : { ...window, zone: organizationZone, isByContacts: zone === "contact" }

const loadOutcome = Effect.fnUntraced(function* (plan: AudiencePlan, id: ContactId | undefined) {
  if (id === undefined) return null
  yield* Effect.mapError(
    Effect.flatMap(Contacts, (contacts) => contacts.get(id)),
    ({ resource }) => new NotFound({ resource, pointer: "/contactId" })
  )
  const outcome = yield* (yield* Audiences).outcomeOf(plan, id)
  return { outcome: outcome.kind, reason: outcome.kind === "excluded" ? outcome.reason : null }
})

/** Simulates a broadcast with this start, and the outcome of one contact. It sends and stores nothing. */
export const simulateBroadcast = useCase(
  { name: "broadcasts.simulate", access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* ({ id, at, contactId }: { readonly id: BroadcastId } & NewBroadcastSimulation) {
    const broadcast = yield* (yield* Broadcasts).get(id)
    yield* requireAudiencePermissions(broadcast)
    // The outcome of one contact reveals an opt-out, a block or a missing value.
    if (contactId !== undefined) yield* requireReach(["contacts.read"])
    const now = yield* DateTime.now
    const { timezone } = yield* (yield* Organizations).current()
    const zone = toTimeZone(timezone)
    const schedule = broadcast.schedule ?? {}
    const startsAt = at ?? DateTime.max(scheduledStart(schedule, zone) ?? now, now)
    const plan = yield* planAudience(broadcast, startsAt)
    const { quietHours: quiet } = yield* (yield* StoredBroadcastSettings).get()
    const quietHours = plan.isMarketing && !broadcast.ignoreQuietHours ? quiet : null
    // The hours of a forecast with quiet hours show the time zones of the contacts.
    if (quietHours !== null) yield* requireReach(["contacts.read"])
    const goesByClocks = quietHours !== null || schedule.zone === "contact"
    const zones = yield* goesByClocks ? loadZones(plan, broadcast, timezone) : countInOneZone(plan, broadcast, zone)
    const toSend = zones.reduce((sum, { count }) => sum + count, 0)
    const [account] = yield* Effect.flatMap(ChatAccounts, (accounts) =>
      accounts.find(broadcast.chatAccountId === null ? [] : [broadcast.chatAccountId])
    )
    const endsAt = latestEnd(schedule, startsAt)
    const { sent, ...simulation } = simulate({
      zones,
      startsAt,
      endsAt,
      accountRate: account?.throughputPerSecond ?? defaultThroughput,
      throttle: broadcast.throttle?.perMinute ?? null,
      dailyLimit: yield* loadDailyLimit(account, now),
      quietHours,
      window: toSimulationWindow(schedule, zone)
    })
    const { max, used } = yield* readPlanQuota
    const warnings: BroadcastSimulation["warnings"] = [
      ...(sent < toSend
        ? [
            {
              code: "end_by_too_early" as const,
              detail: `It ends before ${toSend - sent} of ${toSend} contacts get the message.`
            }
          ]
        : []),
      ...(used + toSend > max
        ? [
            {
              code: "plan_limit" as const,
              detail: `The plan allows ${Math.max(0, max - used)} more messages this month.`
            }
          ]
        : [])
    ]
    return {
      toSend,
      ...simulation,
      plan: { used, max },
      warnings,
      contact: yield* loadOutcome(plan, contactId)
    } satisfies BroadcastSimulation
  })
)
