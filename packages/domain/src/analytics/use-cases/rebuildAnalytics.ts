import { Effect } from "effect"
import { CurrentOrganization, useCase } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { RollupStore } from "../RollupStore.ts"
import { verifyRollups, rebuildRollups } from "../rebuildRollups.ts"

/** Counts everything again while figures stay readable, then replaces the rollup version atomically. Returns the differences. */
export const rebuildAnalytics = useCase(
  { name: "analytics.rebuild", access: "operator", audit: "analytics.rebuilt" },
  () =>
    rebuildRollups(
      Effect.fnUntraced(function* (state, comparison) {
        const rollups = yield* RollupStore
        const { id } = yield* CurrentOrganization
        yield* rollups.save({ ...state, version: state.recount?.version ?? state.version, recount: null })
        if (state.recount !== null) yield* rollups.remove(state.version)
        const { days, differences, facts } = comparison
        yield* recordAudit(
          "analytics.rebuilt",
          { kind: "organization", id },
          { after: { days, facts, changed: differences.length } }
        )
        return comparison
      })
    )
)

/** Counts everything again and returns the differences. The current counts do not change. */
export const checkAnalytics = useCase({ name: "analytics.check", access: "operator" }, () => verifyRollups)
