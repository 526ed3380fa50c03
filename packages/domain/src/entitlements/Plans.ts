import { Context, type Effect } from "effect"
import type { PlanName, TenantScoped } from "../kernel/index.ts"
import type { Limit } from "./Plan.ts"

/** Looks up which plan the organization is on, and how much of its limits it uses. */
export class Plans extends Context.Service<
  Plans,
  TenantScoped<{
    readonly current: () => Effect.Effect<PlanName>
    readonly usage: () => Effect.Effect<Readonly<Record<Limit, number>>>
  }>
>()("@parley/domain/entitlements/Plans") {}
