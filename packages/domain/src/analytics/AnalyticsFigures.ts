import { Context, type Effect } from "effect"
import type { BroadcastId, VariantKey } from "../campaigns/index.ts"
import type { LocalDate, TenantScoped, UserId } from "../kernel/index.ts"
import type { RollupVersion } from "./RollupStore.ts"
import type { QuarterHour, Scope } from "./Count.ts"

/** What a figure comes to: so much of each step, in no order. */
export interface FigureSum {
  readonly figure: string
  readonly steps: ReadonlyArray<number>
  readonly amounts: ReadonlyArray<number>
}

/** What a figure comes to on a local day. */
export interface DaySum extends FigureSum {
  readonly date: LocalDate
}

/** Quarter hours from one to another that is not among them. */
export interface QuarterHourRange {
  readonly from: QuarterHour
  readonly to: QuarterHour
}

/** What a figure comes to in one of several ranges, by its place among them. */
export interface RangeSum extends FigureSum {
  readonly range: number
}

/** Quarter hours in which local clocks are so many quarter hours ahead of UTC. */
export interface ShiftedRange extends QuarterHourRange {
  readonly shift: number
}

/** What happened in an hour of the week: 0 is the first one of Monday. */
export interface WeekHourSum {
  readonly hour: number
  readonly amount: number
}

/** What a figure comes to for somebody. */
export interface PersonSum {
  readonly userId: UserId
  readonly figure: string
  readonly amount: number
}

/** What a figure comes to for somebody, by its steps. */
export interface PersonSteps extends FigureSum {
  readonly userId: UserId
}

/** What a figure of a scope comes to, whenever. */
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

/** Reads figures out of the books, added up as they are asked for. `null` is all figures; those of nothing are left out. */
export class AnalyticsFigures extends Context.Service<
  AnalyticsFigures,
  TenantScoped<{
    /** The days of a scope, from a date to another, both inclusive. */
    readonly days: (
      edition: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string> | null,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<DaySum>>
    /** Ranges of quarter hours of a scope. */
    readonly ranges: (
      edition: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string> | null,
      ranges: ReadonlyArray<QuarterHourRange>
    ) => Effect.Effect<ReadonlyArray<RangeSum>>
    /** What these figures come to on all days before this one, each without its steps. */
    readonly before: (
      edition: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string>,
      date: LocalDate
    ) => Effect.Effect<ReadonlyMap<string, number>>
    /** What these scopes come to on all days, each figure whose name begins so. */
    readonly totals: (
      edition: RollupVersion,
      scopes: ReadonlyArray<Scope>,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<ScopeSum>>
    /** Figures of the orders that this edition attributes to a broadcast, by the variant of the contact. */
    readonly variantTotals: (
      edition: RollupVersion,
      id: BroadcastId,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<VariantSum>>
    /** Figures together, by the hours of the local week. */
    readonly weekHours: (
      edition: RollupVersion,
      scope: Scope,
      figures: ReadonlyArray<string>,
      ranges: ReadonlyArray<ShiftedRange>
    ) => Effect.Effect<ReadonlyArray<WeekHourSum>>
    /** Of everybody who has any of these figures on these days. */
    readonly people: (
      edition: RollupVersion,
      figures: ReadonlyArray<string>,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<PersonSum>>
    /** Of these people, by steps. */
    readonly stepsOf: (
      edition: RollupVersion,
      userIds: ReadonlyArray<UserId>,
      figures: ReadonlyArray<string>,
      from: LocalDate,
      to: LocalDate
    ) => Effect.Effect<ReadonlyArray<PersonSteps>>
  }>
>()("@parley/domain/analytics/AnalyticsFigures") {}
