import { checkAnalytics, readOverview, rebuildAnalytics } from "@parley/domain"
import { Effect } from "effect"
import { attempt, type Prepare, reads } from "../attempting.ts"

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "analytics.check": reads(() => checkAnalytics()),
  "analytics.overview": reads(() => readOverview("7d")),
  "analytics.rebuild": ({ organization }) =>
    Effect.succeed(
      attempt(rebuildAnalytics(), () => ({
        action: "analytics.rebuilt",
        target: { kind: "organization", id: organization.id },
        before: null,
        after: { days: 0, facts: 0, changed: 0 },
        event: null
      }))
    )
}
