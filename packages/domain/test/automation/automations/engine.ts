import { consumeLog, type Organization, EventConsumers } from "@parley/domain/platform"
import {
  type AutomationId,
  createAutomation,
  enableAutomation,
  listAutomationRuns,
  type NewAutomation,
  performRuns,
  fireTimers
} from "@parley/domain/automation"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, asOwnerOf } from "@parley/testkit"
import { Effect } from "effect"

/** Runs all event consumers over the organization's log. */
const follow = (organization: Organization) =>
  Effect.gen(function* () {
    for (const consumer of (yield* EventConsumers).values()) {
      yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
    }
  }).pipe(asOperatorOf(organization), Effect.provide(layerEventConsumers))

/** Starts and runs automations for events, repeatedly, because actions can start more. */
export const settle = (organization: Organization, times = 1) =>
  Effect.andThen(follow(organization), performRuns).pipe(Effect.repeat({ times: times - 1 }))

/** Fires timers and performs the runs they start. */
export const strikeAndSettle = (organization: Organization) =>
  Effect.andThen(follow(organization), Effect.andThen(fireTimers, performRuns))

/** An automation that is enabled. */
export const enabled = Effect.fnUntraced(function* (organization: Organization, input: Omit<NewAutomation, "name">) {
  const { id } = yield* createAutomation({ name: "Routine", ...input }).pipe(asOwnerOf(organization))
  return yield* enableAutomation({ id, ifVersion: null }).pipe(asOwnerOf(organization))
})

/** The runs of an automation, the latest first. */
export const runsOf = (organization: Organization, { id }: { readonly id: AutomationId }) =>
  listAutomationRuns({ id, state: null, page: { limit: 100, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data)
  )
