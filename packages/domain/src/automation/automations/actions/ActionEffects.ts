import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { ActionCause } from "./ActionCause.ts"
import type { ActionEffect } from "./ActionResult.ts"

/** What names an action: the same ones name the same action. */
export type ActionKey = Pick<ActionCause, "runId" | "step" | "visit">

/** What actions have come to, so that none of them has its effect twice. */
export class ActionEffects extends Context.Service<
  ActionEffects,
  TenantScoped<{
    readonly find: (key: ActionKey) => Effect.Effect<ActionEffect | null>
    /** `false` where the action has had its effect already; whoever asks at the same time waits for the other one. */
    readonly add: (key: ActionKey, effect: ActionEffect, at: DateTime.Utc) => Effect.Effect<boolean, never, Transaction>
    /** Forgets what was before, at most so much; says how much. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/ActionEffects") {}
