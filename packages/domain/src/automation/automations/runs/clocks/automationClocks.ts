import { Effect } from "effect"
import { workDue } from "../../../../platform/background/index.ts"
import { Automations, type EnabledAutomation } from "../../Automations.ts"
import { heldBecause } from "../held.ts"
import { newRun } from "../starting/newRun.ts"
import { startRuns } from "../starting/startRuns.ts"
import { clockLanes } from "./clockLanes.ts"
import { type Clockwork, type ClockOwner, type ClockTrigger, isClockTrigger, type Struck } from "./Clockwork.ts"

type Owner = EnabledAutomation & ClockOwner

const ownersOf = (automations: ReadonlyArray<EnabledAutomation>): ReadonlyArray<Owner> =>
  automations.flatMap((automation) => {
    const { enabledAfter, when } = automation
    return isClockTrigger(when) ? [{ ...automation, when, after: enabledAfter }] : []
  })

const runOf = ({ clock: { position }, contactId, counted, name: key, owner }: Struck<Owner>) =>
  newRun(owner, { key, event: { position, type: owner.when.event }, contactId, causation: counted.causation })

/** The automations that are started by conversations that are idle and by carts that stay abandoned. */
export const automationClocks = {
  kind: "automation",
  heldBecause,
  on: Effect.fnUntraced(function* (event: ClockTrigger["event"]) {
    return ownersOf(yield* (yield* Automations).enabledOn(event))
  }),
  begin: Effect.fnUntraced(function* (struck: ReadonlyArray<Struck<Owner>>) {
    yield* startRuns(yield* Effect.forEach(struck, runOf))
  })
} satisfies Clockwork<Owner, unknown, unknown, unknown>

export const automationClockLanes = clockLanes(automationClocks)

/** Lets the clocks of automations strike whose time has come, of all organizations that nobody else works for. */
export const strikeClocks = workDue(automationClockLanes)
