import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { LanePriority, WorkName } from "./Lane.ts"

/** Lanes as those see them who put work in: within their organization, in the commit of the work itself. */
export class Lanes extends Context.Service<
  Lanes,
  TenantScoped<{
    /**
     * Has somebody look after the lane when it is due, and wakes whoever owns it after the commit. Call it before or after
     * the work is put in, in the same unit of work: then the lane is not closed over it. Those who put work into one lane do
     * not wait for each other, nor for who works at it.
     */
    readonly open: (lane: {
      readonly work: WorkName
      readonly key: string
      readonly priority: LanePriority
      readonly dueAt: DateTime.Utc
    }) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/background/Lanes") {}
