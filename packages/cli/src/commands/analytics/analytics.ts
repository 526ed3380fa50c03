import { checkAnalytics, type RollupComparison, rebuildAnalytics } from "@parley/domain/analytics"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { table } from "../../console/print.ts"
import { inOrganizationMeant } from "../../tenant/selection.ts"
import { operate } from "../../tenant/target.ts"
import { heatmapCommand, seriesCommand } from "./charts.ts"
import { costsCommand } from "./costs.ts"
import { liveCommand, overviewAs, overviewCommand } from "./overview.ts"
import { agentsCommand, broadcastsCommand } from "./rankings.ts"

type Difference = RollupComparison["differences"][number]

const differencesTable = (differences: ReadonlyArray<Difference>) =>
  table(differences, [
    { heading: "DATE", of: ({ date }) => date },
    { heading: "FIGURE", of: ({ figure }) => figure },
    { heading: "KEPT", of: ({ kept }) => String(kept), align: "right" },
    { heading: "COUNTED", of: ({ counted }) => String(counted), align: "right" }
  ])

const sizeOf = ({ days, facts }: RollupComparison) => `${days} ${days === 1 ? "day" : "days"}, ${facts} facts`

const changed = (count: number) => `${count} ${count === 1 ? "figure" : "figures"} changed`

const check = Command.make(
  "check",
  { org: Flags.org },
  Effect.fn(function* ({ org }) {
    const comparison = yield* operate(inOrganizationMeant(org, checkAnalytics()))
    const { differences } = comparison
    if (differences.length === 0) return yield* Console.log(`Checked ${sizeOf(comparison)}: all equal.`)
    yield* Console.log(differencesTable(differences))
    return yield* new Refused({
      message: `Checked ${sizeOf(comparison)}: ${differences.length} differ. Rebuild them: parley analytics rebuild`
    })
  })
).pipe(
  Command.withDescription("Recount all records, and show the differences from the stored figures"),
  Command.withExamples([{ command: "parley analytics check --org acme" }])
)

const rebuild = Command.make(
  "rebuild",
  { org: Flags.org },
  Effect.fn(function* ({ org }) {
    const comparison = yield* operate(inOrganizationMeant(org, rebuildAnalytics()))
    yield* Console.log(`Rebuilt ${sizeOf(comparison)}: ${changed(comparison.differences.length)}.`)
  })
).pipe(
  Command.withDescription("Recount all records, and replace the stored figures. Figures stay readable meanwhile"),
  Command.withExamples([{ command: "parley analytics rebuild --org acme" }])
)

/** Analytics commands. Without a subcommand, it draws the overview. */
export const analytics = overviewAs("analytics").pipe(
  Command.withExamples([{ command: "parley analytics --org acme" }]),
  Command.withSubcommands([
    overviewCommand,
    seriesCommand,
    agentsCommand,
    broadcastsCommand,
    heatmapCommand,
    costsCommand,
    liveCommand,
    check,
    rebuild
  ])
)
