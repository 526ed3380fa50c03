import type { BroadcastId } from "@parley/domain/campaigns"
import type { OrderId } from "@parley/domain/commerce"
import type { RollupState, Count, DayTally, ContactActivity, RollupVersion, Tally } from "@parley/domain/analytics"
import { HashMap } from "effect"

/** A copy of all counts, by the keys of each row. */
export interface RollupVersionRows {
  readonly kept: HashMap.HashMap<string, ReadonlyArray<Count>>
  readonly quarters: HashMap.HashMap<string, Tally>
  readonly days: HashMap.HashMap<string, DayTally>
  readonly activity: HashMap.HashMap<string, ContactActivity>
}

/** An empty rollup version. */
export const emptyRollupVersion: RollupVersionRows = {
  kept: HashMap.empty(),
  quarters: HashMap.empty(),
  days: HashMap.empty(),
  activity: HashMap.empty()
}

/** Rows of one organization in this folder. */
export interface AnalyticsTenant {
  /** `null` before anything is counted. */
  readonly rollupState: RollupState | null
  readonly rollupVersions: HashMap.HashMap<RollupVersion, RollupVersionRows>
  /** Which broadcasts keep the credit for orders. */
  readonly keptAttributions: HashMap.HashMap<OrderId, BroadcastId>
  readonly analyticsErased: HashMap.HashMap<string, Tally>
}

export const emptyAnalyticsTenant: AnalyticsTenant = {
  rollupState: null,
  rollupVersions: HashMap.empty(),
  keptAttributions: HashMap.empty(),
  analyticsErased: HashMap.empty()
}
