import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type ExpiringHold, WorkflowHolds } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"

const at = (days: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { days })

const begin = (reason: ExpiringHold, days: number) =>
  Effect.flatMap(WorkflowHolds, (holds) => transact(holds.begin({ reason, since: at(days) })))

const end = (reason: ExpiringHold) => Effect.flatMap(WorkflowHolds, (holds) => transact(holds.end(reason)))

const held = Effect.map(
  Effect.flatMap(WorkflowHolds, (holds) => holds.all()),
  (all) => all.map(({ reason, since }) => [reason, DateTime.formatIso(since)])
)

const iso = (days: number) => DateTime.formatIso(at(days))

export const workflowHolds: StorageContract = {
  port: "WorkflowHolds",
  promises: (it) => {
    it.effect("keep their first start until their end, separately by dependency and organization", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        assert.deepStrictEqual(yield* held.pipe(inside(one)), [])
        yield* begin("plan", 0).pipe(inside(one))
        yield* begin("plan", 1).pipe(inside(one))
        yield* begin("suspended", 2).pipe(inside(one))
        yield* begin("suspended", 3).pipe(inside(other))
        assert.deepStrictEqual(yield* held.pipe(inside(one)), [
          ["plan", iso(0)],
          ["suspended", iso(2)]
        ])
        yield* end("plan").pipe(inside(one))
        yield* end("suspended").pipe(inside(other))
        assert.deepStrictEqual(yield* held.pipe(inside(one)), [["suspended", iso(2)]])
        assert.deepStrictEqual(yield* held.pipe(inside(other)), [])
        yield* begin("plan", 4).pipe(inside(one))
        assert.deepStrictEqual(yield* held.pipe(inside(one)), [
          ["suspended", iso(2)],
          ["plan", iso(4)]
        ])
      })
    )

    it.effect("are as they were where a unit of work fails", () =>
      Effect.gen(function* () {
        yield* begin("plan", 0)
        const holds = yield* WorkflowHolds
        yield* holds
          .end("plan")
          .pipe(
            Effect.andThen(holds.begin({ reason: "suspended", since: at(1) })),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        assert.deepStrictEqual(yield* held, [["plan", iso(0)]])
      }).pipe((effect) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect)))
    )
  }
}

export const workflowHoldsContract = runContract(workflowHolds)
