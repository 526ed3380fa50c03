import { Context, type Effect } from "effect"
import type { PlanName, TenantScoped } from "../../kernel/index.ts"

/** Looks up which plan the organization is on. */
export class Plans extends Context.Service<
  Plans,
  TenantScoped<{
    readonly current: () => Effect.Effect<PlanName>
  }>
>()("@parley/domain/platform/entitlements/Plans") {}
