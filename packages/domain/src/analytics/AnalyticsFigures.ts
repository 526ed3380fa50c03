import { Context, type Effect } from "effect"
import type { BroadcastId, VariantKey } from "../campaigns/index.ts"
import type { LocalDate, TenantScoped, UserId } from "../kernel/index.ts"
import type { RollupVersion } from "./RollupStore.ts"
import type { QuarterHour, Scope } from "./Count.ts"

/** Sum of a figure per step, in no order. */
export interface FigureSum {
  readonly figure: string
  readonly steps: ReadonlyArray<number>
  readonly amounts: ReadonlyArray<number>
}

/** Sum of a figure on a local day. */
export interface DaySum extends FigureSum {
  readonly date: LocalDate
}

/** Range of quarter hours; `to` is exclusive. */
export interface QuarterHourRange {
  readonly from: QuarterHour
  readonly to: QuarterHour
}

/** Sum of a figure in one of several ranges, by the index of the range. */
export interface RangeSum extends FigureSum {
  readonly range: number
}

/** Range of quarter hours with a fixed offset of local time from UTC, in quarter hours. */
export interface ShiftedRange extends QuarterHourRange {
  readonly shift: number
}

/** Sum in an hour of the week; 0 is the first hour of Monday. */
export interface WeekHourSum {
  readonly hour: number
  readonly amount: number
}

/** Sum of a figure for one member. */
export interface PersonSum {
  readonly userId: UserId
  readonly figure: string
  readonly amount: number
}

/** Sum of a figure for one member, by step. */
export interface PersonSteps extends FigureSum {
  readonly userId: UserId
}

/** Sum of a figure in a scope over all time. */
export interface ScopeSum {
  readonly scope: Scope
  readonly figure: string
  readonly amount: number
}

/** A figure of the orders attributed to a broadcast variant. */
export interface VariantSum {
  readonly variant: VariantKey
  readonly figure: string
  readonly amount: number
}

/** Sums of figures from the rollups. `null` selects all figures; zero sums are omitted. */
export class AnalyticsFigures extends Context.Service<
  AnalyticsFigures,
  TenantScoped<{
    /** Returns the days of a scope between two dates, both inclusive. */
    readonly days: (
      version: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string> | null,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<DaySum>>
    /** Returns the sums of a scope in ranges of quarter hours. */
    readonly ranges: (
      version: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string> | null,
      ranges: ReadonlyArray<QuarterHourRange>
    ) => Effect.Effect<ReadonlyArray<RangeSum>>
    /** Returns the sums of these figures on all earlier days, over all steps. */
    readonly before: (
      version: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string>,
      date: LocalDate
    ) => Effect.Effect<ReadonlyMap<string, number>>
    /** Returns the sums of these scopes on all days, for figures with this prefix. */
    readonly totals: (
      version: RollupVersion,
      scopes: ReadonlyArray<Scope>,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<ScopeSum>>
    /** Returns sums of the orders that this rollup version attributes to a broadcast, by variant of the contact. */
    readonly variantTotals: (
      version: RollupVersion,
      id: BroadcastId,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<VariantSum>>
    /** Returns the sums of several figures by hour of the local week. */
    readonly weekHours: (
      version: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string>,
      ranges: ReadonlyArray<ShiftedRange>
    ) => Effect.Effect<ReadonlyArray<WeekHourSum>>
    /** Returns the sums of each member with any of these figures on these days. */
    readonly people: (
      version: RollupVersion,
      figures: ReadonlyArray<string>,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<PersonSum>>
    /** Returns the sums of these members by step. */
    readonly stepsOf: (
      version: RollupVersion,
      userIds: ReadonlyArray<UserId>,
      figures: ReadonlyArray<string>,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<PersonSteps>>
  }>
>()("@parley/domain/analytics/AnalyticsFigures") {}
