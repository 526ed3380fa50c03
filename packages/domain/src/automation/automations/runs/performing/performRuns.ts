import { DateTime, Duration, Effect } from "effect"
import type { ContactId } from "../../../../crm/index.ts"
import { asSystem } from "../../../../kernel/index.ts"
import { type LaneLease, laneWork, workDue } from "../../../../platform/background/index.ts"
import { AutomationRuns, type KeptRun } from "../AutomationRuns.ts"
import { heldBecause } from "../held.ts"
import { rulesOf } from "../Rule.ts"
import { laneNumber } from "../contactLanes.ts"
import { runsWork } from "../runLane.ts"
import { performContact } from "./performContact.ts"

/** For how long one lane is worked at before another one's turn comes. */
const turn = Duration.seconds(3)

const mostAtOnce = 64

/** For how many contacts of a lane runs are performed side by side. */
const contactsAtOnce = 4

const within = asSystem("automations")

const byContact = (runs: ReadonlyArray<KeptRun>): ReadonlyArray<readonly [ContactId, ReadonlyArray<KeptRun>]> => {
  const found = new Map<ContactId, Array<KeptRun>>()
  for (const kept of runs) {
    const { contactId } = kept.run
    if (contactId === null) continue
    found.set(contactId, [...(found.get(contactId) ?? []), kept])
  }
  return [...found]
}

/** Performs what waits in a lane until nothing does, the turn is over, or nothing may be performed. */
const performLane = Effect.fnUntraced(function* (lease: LaneLease) {
  const runs = yield* AutomationRuns
  const end = DateTime.addDuration(yield* DateTime.now, turn)
  while (true) {
    const now = yield* DateTime.now
    if ((yield* heldBecause) !== null) return
    const next = yield* runs.next(laneNumber(lease), now, mostAtOnce)
    if (next.length === 0) return
    const rules = yield* rulesOf(next.map(({ run }) => run))
    const performed = yield* Effect.forEach(
      byContact(next),
      ([contactId, its]) =>
        Effect.catchTag(performContact(lease, contactId, its, rules, now), "RunMoved", () =>
          Effect.succeed("done" as const)
        ),
      { concurrency: contactsAtOnce }
    )
    if (performed.includes("held") || DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return
  }
})

const nextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  return (yield* heldBecause) === null ? yield* (yield* AutomationRuns).nextDue(laneNumber(lease)) : null
})

/** What automations are to do about events is done contact by contact. */
export const automationRunLanes = laneWork({
  name: runsWork,
  concurrency: 16,
  run: (lease) => within(lease.organizationId)(performLane(lease)),
  nextDue: (lease) => within(lease.organizationId)(nextDue(lease))
})

/** Performs what there is to perform, in all organizations that nobody else works for. */
export const performRuns = workDue(automationRunLanes)
