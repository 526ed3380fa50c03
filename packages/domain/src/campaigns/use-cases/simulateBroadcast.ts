import { DateTime, Effect } from "effect"
import { ChatAccounts } from "../../chat/index.ts"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { Plans, plans, Usage } from "../../entitlements/index.ts"
import { Organizations } from "../../identity/index.ts"
import { NotFound, useCase } from "../../kernel/index.ts"
import type { AudiencePlan } from "../audience/AudiencePlan.ts"
import { planAudience } from "../audience/planAudience.ts"
import { Audiences } from "../Audiences.ts"
import type { BroadcastSimulation, NewBroadcastSimulation } from "../BroadcastSimulation.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { zoneNamed } from "../sending/Surroundings.ts"
import { simulate } from "../simulation/simulate.ts"
import { StoredBroadcastSettings } from "../StoredBroadcastSettings.ts"
import { endByOf, startOf } from "../timing/index.ts"

/** What the provider lets an account send of which it has said nothing, in messages per second. */
const usualThroughput = 80

/** What is left of a daily limit when 5% stay for messages of people. */
const bulkShare = 0.95

/** What the provider says of a limit, such as TIER_1K, as a number; `null` if there is none. */
const dailyLimitOf = (text: string | null): number | null => {
  const [, digits, thousands] = /(\d+)(K?)$/u.exec(text ?? "") ?? []
  if (digits === undefined) return null
  return Math.floor(Number(digits) * (thousands === "K" ? 1_000 : 1) * bulkShare)
}

const outcomeOf = Effect.fnUntraced(function* (plan: AudiencePlan, id: ContactId | undefined) {
  if (id === undefined) return null
  yield* Effect.mapError(
    Effect.flatMap(Contacts, (contacts) => contacts.get(id)),
    ({ resource }) => new NotFound({ resource, pointer: "/contactId" })
  )
  const outcome = yield* (yield* Audiences).outcomeOf(plan, id)
  return { outcome: outcome.kind, reason: outcome.kind === "excluded" ? outcome.reason : null }
})

/** Says how a broadcast would go if it started then, and what would become of a contact. Nothing is sent or kept. */
export const simulateBroadcast = useCase(
  "broadcasts.simulate",
  { access: { permission: "broadcasts.manage" } },
  Effect.fnUntraced(function* (id: BroadcastId, { at, contactId }: NewBroadcastSimulation) {
    const broadcast = yield* (yield* Broadcasts).get(id)
    const now = yield* DateTime.now
    const { timezone } = yield* (yield* Organizations).current()
    const zone = zoneNamed(timezone)
    const schedule = broadcast.schedule ?? {}
    const startsAt = at ?? DateTime.max(startOf(schedule, zone) ?? now, now)
    const plan = yield* planAudience(broadcast, startsAt)
    const { toSend } = yield* (yield* Audiences).size(plan, broadcast.audienceSnapshotId)
    const [account] = yield* Effect.flatMap(ChatAccounts, (accounts) =>
      accounts.find(broadcast.chatAccountId === null ? [] : [broadcast.chatAccountId])
    )
    const { quietHours } = yield* (yield* StoredBroadcastSettings).get()
    const endsAt = endByOf(schedule, startsAt)
    const { sent, ...simulation } = simulate({
      toSend,
      startsAt,
      endsAt,
      zone,
      accountRate: account?.throughputPerSecond ?? usualThroughput,
      throttle: broadcast.throttle?.perMinute ?? null,
      dailyLimit: dailyLimitOf(account?.messagingLimit ?? null),
      quietHours: plan.isMarketing && !broadcast.ignoreQuietHours ? quietHours : null,
      window: schedule.window ?? null
    })
    const used = yield* (yield* Usage).count("broadcastRecipientsPerMonth")
    const max = plans[yield* (yield* Plans).current()].limits.broadcastRecipientsPerMonth
    const warnings: BroadcastSimulation["warnings"] = [
      ...(sent < toSend
        ? [{ code: "end_by_too_early" as const, detail: `It ends before ${toSend - sent} of ${toSend} are sent to.` }]
        : []),
      ...(used + toSend > max
        ? [{ code: "plan_limit" as const, detail: `The plan has room for ${Math.max(0, max - used)} more this month.` }]
        : [])
    ]
    return {
      toSend,
      ...simulation,
      plan: { used, max },
      warnings,
      contact: yield* outcomeOf(plan, contactId)
    } satisfies BroadcastSimulation
  })
)
